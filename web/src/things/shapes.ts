/** The suit shapes that the client can draw; any other becomes a star. */

export const SHAPES: ReadonlySet<string> = new Set(
  "club diamond heart spade rock paper scissors water lizard book beaker gear globe star".split(" "),
);

export const shapeOf = (suit: { shape: string }): string => (SHAPES.has(suit.shape) ? suit.shape : "star");
