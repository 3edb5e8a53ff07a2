import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { type Algorithm, hashSync, verifySync } from '@node-rs/argon2'
import type { PasswordAnswer, PasswordTask } from './password-task.ts'

/** What runs in a thread of its own: the hashes of passwords, some 50 milliseconds each. */

const algorithm: Algorithm.Argon2id = 2

/** By so much the system calls it nicer: the thread that answers goes first wherever both want the processor. */
const nicer = 10
const nicest = 19

// Only Linux knows priorities of threads; elsewhere this would be that of the whole process.
if (process.platform === 'linux') {
  try {
    setPriority(Math.min(getPriority() + nicer, nicest))
  } catch {
    // A sandbox may forbid it: passwords are checked all the same.
  }
}

parentPort?.on('message', (task: PasswordTask) => parentPort?.postMessage(answer(task)))

function answer(task: PasswordTask): PasswordAnswer {
  try {
    return { result: run(task) }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

function run(task: PasswordTask): string | boolean {
  return task.kind === 'hash'
    ? hashSync(task.password, { ...task.cost, algorithm })
    : verifySync(task.hash, task.password)
}
