import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { PasswordAnswer, PasswordTask } from './password-task.ts'

/** What the one who asked waits for. */
interface Waiting {
  readonly resolve: (result: string | boolean) => void
  readonly reject: (error: Error) => void
}

/** Threads that have nothing to do; starting one takes as long as a password. */
const idle: PasswordThread[] = []

/**
 * Runs the task on a thread of low priority; there are as many threads as tasks at the same time. Fails when the
 * thread does.
 */
export async function runOnPasswordThread(task: PasswordTask): Promise<string | boolean> {
  const thread = idle.pop() ?? new PasswordThread()
  const result = await thread.run(task)
  idle.push(thread)
  return result
}

/** A thread for one task after the other. One that fails ends, and whoever needs one starts another. */
class PasswordThread {
  readonly #worker: Worker
  #waiting: Waiting | undefined

  constructor() {
    // The same file is TypeScript while we work, and JavaScript in a package.
    const program = new URL(`./password-worker${extname(import.meta.url)}`, import.meta.url)
    this.#worker = new Worker(program, { execArgv: [] })
    this.#worker.unref()
    this.#worker.on('message', (answer: PasswordAnswer) => this.#take(answer))
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('exit', () => this.#end(new Error('A thread for passwords has ended')))
  }

  run(task: PasswordTask): Promise<string | boolean> {
    // While it works the process lives, and an idle one keeps nothing alive.
    this.#worker.ref()
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#worker.postMessage(task)
    })
  }

  #take(answer: PasswordAnswer): void {
    this.#worker.unref()
    const waiting = this.#waiting
    this.#waiting = undefined
    if ('failure' in answer) {
      waiting?.reject(new Error(answer.failure))
      this.#worker.terminate().catch(() => {})
    } else {
      waiting?.resolve(answer.result)
    }
  }

  #end(error: Error): void {
    const at = idle.indexOf(this)
    if (at !== -1) idle.splice(at, 1)
    this.#waiting?.reject(error)
    this.#waiting = undefined
  }
}
