// One room of four and a crowd, this server beside a bare broadcaster, in turn and by the same generator:
// node scripts/crowd.mjs BENCH_BINARIES SERVER VIEWERS RUNS. The server runs on processor 0, the generator on processor 1.
import { execFile, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [binaries, sprint, viewers, runs] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "crowd-"));
const bare = [join(binaries, "axum_bare")];
let databases = 0;
const ours = (port) => {
  const database = `sqlite://${join(folder, `${databases++}.sqlite`)}`;
  const limits = ["--spectators-max", "20000", "--guests-per-min", "0", "--rooms-per-min", "0"];
  return [sprint, "serve", "--listen", `127.0.0.1:${port}`, "--database", database, "--countdown-ms", "500", ...limits];
};
const servers = [
  { name: "bare axum", protocol: "raw", command: () => bare },
  { name: "bare axum, messages as long as ours", protocol: "wide", command: () => bare },
  { name: "ours", protocol: "sprint", command: ours },
];

function pinned(processor, command) {
  const has = spawnSync("taskset", ["-c", processor, "true"]).status === 0;
  return has ? ["taskset", "-c", processor, ...command] : command;
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

async function listens(port) {
  for (let tries = 0; tries < 200; tries++) {
    const open = await new Promise((done) => {
      const socket = connect(port, "127.0.0.1", () => (socket.destroy(), done(true)));
      socket.on("error", () => done(false));
    });
    if (open) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("a server does not start");
}

async function measure({ name, protocol, command }, spectators) {
  const port = await freePort();
  const [program, ...args] = pinned("0", command(port));
  const env = { ...process.env, PORT: String(port), RBUF: "4096" };
  const server = spawn(program, args, { env, stdio: "ignore" });
  try {
    await listens(port);
    const room = ["--mode", "paced", "--rooms", "1", "--players", "4", "--rate", "4", "--spectators", String(spectators)];
    const how = ["--warmup", "5", "--secs", "10", "--proto", protocol, "--addr", `127.0.0.1:${port}`, "--pid", String(server.pid)];
    const [generator, ...options] = pinned("1", [join(binaries, "loadgen"), ...room, ...how]);
    const said = await new Promise((done, failed) => {
      execFile(generator, options, (error, out, err) => (error ? failed(new Error(`${name}: ${err || error}`)) : done(out)));
    });
    return JSON.parse(said);
  } finally {
    server.kill("SIGKILL");
  }
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const figures = new Map(servers.map(({ name }) => [name, []]));
for (let run = 0; run < Number(runs); run++) {
  for (const server of run % 2 ? [...servers].reverse() : servers) {
    const alone = await measure(server, 0);
    const crowd = await measure(server, viewers);
    figures.get(server.name).push({ alone, crowd });
    console.error(`run ${run + 1} ${server.name}: own p99 ${alone.own_ms.p99} and ${crowd.own_ms.p99} ms, lost ${crowd.lost}`);
  }
}
rmSync(folder, { recursive: true });

const columns = {
  "delivered, of what is due": ({ crowd }) => crowd.deliveries_per_s / (16 * (Number(viewers) + 4)),
  "own ack p50 ms": ({ crowd }) => crowd.own_ms.p50,
  "p99 ms": ({ crowd }) => crowd.own_ms.p99,
  "to no viewers: p50": ({ alone, crowd }) => crowd.own_ms.p50 / alone.own_ms.p50,
  p99: ({ alone, crowd }) => crowd.own_ms.p99 / alone.own_ms.p99,
  "delivery p50 ms": ({ crowd }) => crowd.other_ms.p50,
  " p99 ms": ({ crowd }) => crowd.other_ms.p99,
  "bytes a delivery": ({ crowd }) => crowd.bytes_per_delivery,
  "CPU us a delivery": ({ crowd }) => crowd.cpu_us_per_delivery,
  "lines lost": ({ crowd }) => crowd.lost,
  "memory MiB": ({ crowd }) => crowd.rss_kib / 1024,
};
console.log(`one room, four players at 4 acts/s, ${viewers} viewers; medians of ${runs} runs`);
console.log(`| server | ${Object.keys(columns).join(" | ")} | CPU to bare |`);
console.log(`|---${"|---".repeat(Object.keys(columns).length + 1)}|`);
const cpu = (name) => median(figures.get(name).map(columns["CPU us a delivery"]));
for (const { name } of servers) {
  const row = Object.values(columns).map((column) => Number(median(figures.get(name).map(column)).toPrecision(3)));
  console.log(`| ${name} | ${row.join(" | ")} | ${(cpu(name) / cpu(servers[0].name)).toFixed(2)} |`);
}
if (figures.get("ours").some(({ crowd }) => crowd.lost > 0)) process.exit(1);
