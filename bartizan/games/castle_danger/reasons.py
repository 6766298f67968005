from bartizan.games.castle_danger.state import State

def reason(seen: State, action: int) -> str:
    return ""

