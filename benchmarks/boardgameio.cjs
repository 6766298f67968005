// Serve boardgame.io's smallest game: one move, which counts. `node boardgameio.cjs FOLDER_OF_NODE_MODULES`
const { createRequire } = require("node:module");
const load = createRequire(process.argv[2] + "/");
const { Server, Origins } = load("boardgame.io/server");
const count = { name: "count", setup: () => ({ moves: 0 }), moves: { play: ({ G }) => ({ moves: G.moves + 1 }) } };
const server = Server({ games: [count], origins: [Origins.LOCALHOST] });
server.run({ port: 0 }).then(({ appServer }) => console.log(`port ${appServer.address().port}`));
