"""x"""
from bartizan.engine.rule import rule
from bartizan.games.card_cassonne.state import State

@rule
def preference(s: State, action: int) -> int:
    """x"""
    return 0
