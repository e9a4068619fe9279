// A real server for the browser tests: its own process, port 0, a fresh SQLite file, gone when the tests are done.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** A server that runs. */
export interface Server {
  /** `http://ADDRESS:PORT`. */
  url: string;
  /** Kills the process as a power cut would, and starts another on the same address and database. */
  crash: () => Promise<void>;
  /** Ends the process as a host does, and starts another on the same address and database. */
  restart: () => Promise<void>;
  /** Ends the process, by its own id, and removes its files. */
  stop: () => Promise<void>;
}

/** Starts the binary that `SPRINT_SERVER` names, with more flags. */
export async function startServer(more: readonly string[] = []): Promise<Server> {
  const binary = process.env.SPRINT_SERVER;
  if (binary === undefined) {
    throw new Error('SPRINT_SERVER must name the sprint-server binary, such as ../../target/debug/sprint-server');
  }
  const folder = mkdtempSync(join(tmpdir(), 'sprint-e2e-'));
  const database = `sqlite://${join(folder, 'sprint.sqlite')}`;
  const start = (listen: string): ChildProcess => {
    const flags = ['serve', '--listen', listen, '--database', database, ...more];
    return spawn(resolve(binary), flags, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  };
  let child = start('127.0.0.1:0');
  const url = await addressOf(child);
  const startAnew = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    await end(child, signal);
    child = start(new URL(url).host);
    await addressOf(child);
  };
  return {
    url,
    crash: () => startAnew('SIGKILL'),
    restart: () => startAnew('SIGTERM'),
    stop: async () => {
      await end(child, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  return new Promise((done) => {
    child.once('exit', () => done());
    child.kill(signal);
  });
}

/** The address in the first line of the server's output. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`the server ended with ${code} before it listened`)));
    if (child.stdout === null) throw new Error('the server has no output');
    createInterface(child.stdout).once('line', (line) => {
      const address = /^listening on (http:\/\/\S+)$/.exec(line)?.[1];
      if (address === undefined) failed(new Error(`the server's first line is ${JSON.stringify(line)}`));
      else found(address);
    });
  });
}
