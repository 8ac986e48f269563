// Programs that the scripts beside this one start, so that no way out leaves any behind.

import { spawn } from "node:child_process";

export const windows = process.platform === "win32";

/** Everything that runs. */
export const children = new Set();

/** Starts a program in a process group of its own, so that it ends with all that it started itself. */
export function start(command, args, options) {
  const manner = { stdio: ["ignore", "pipe", "pipe"], detached: !windows, windowsHide: true };
  const child = spawn(command, args, { ...manner, ...options });
  children.add(child);
  child.output = "";
  child.errors = "";
  child.stdout.setEncoding("utf8").on("data", (data) => (child.output += data));
  child.stderr.setEncoding("utf8").on("data", (data) => (child.errors += data));
  child.ended = new Promise((done) => {
    child.on("error", (error) => {
      child.errors += error.message;
      done(error.code);
    });
    child.on("close", done);
  }).finally(() => children.delete(child));
  return child;
}

export function stop(child, signal = "SIGKILL") {
  try {
    if (windows) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended already.
  }
}

/** Waits for a promise, but not for ever. */
export function within(ms, what, promise) {
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`${what}: not done after ${ms / 1000} s`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Runs a program to its end, and gives what it printed. */
export async function run(ms, command, args, { fine = [0], ...options } = {}) {
  const child = start(command, args, options);
  try {
    const status = await within(ms, command, child.ended);
    if (fine.includes(status)) return child.output;
    throw new Error(`${command}: exit status ${status}\n${child.errors}${child.output}`.trim());
  } finally {
    stop(child);
  }
}
