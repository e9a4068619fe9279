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
  /** Ends the process, by its own id, and removes its files. */
  stop: () => Promise<void>;
}

/** Starts the binary that `SPRINT_SERVER` names. */
export async function startServer(): Promise<Server> {
  const binary = process.env.SPRINT_SERVER;
  if (binary === undefined) {
    throw new Error('SPRINT_SERVER must name the sprint-server binary, such as ../../target/debug/sprint-server');
  }
  const folder = mkdtempSync(join(tmpdir(), 'sprint-e2e-'));
  const database = `sqlite://${join(folder, 'sprint.sqlite')}`;
  const flags = ['serve', '--listen', '127.0.0.1:0', '--database', database];
  const child = spawn(resolve(binary), flags, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await addressOf(child);
  return {
    url,
    stop: async () => {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
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
