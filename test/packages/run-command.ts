import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** `npx gateleg`, running in a project that has installed it. */
export interface RunningCommand {
  /** Where it says that it listens; rejects when it ends instead. */
  readonly url: Promise<string>
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>
  /** Ends it as Ctrl-C does. */
  interrupt(): void
}

/** Starts the command on a free port; its data are in the project. */
export function runCommand(folder: string): RunningCommand {
  const { PATH, HOME } = process.env
  const child = spawn('npx', ['--no', 'gateleg'], {
    cwd: folder,
    env: { PATH, HOME, PORT: '0', DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own, which Ctrl-C reaches as a whole.
    detached: true,
  })
  const ended = once(child, 'close')
  const url = new Promise<string>((resolve, reject) => {
    let words = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words += text
      const found = /listens on (http:\S+)/.exec(words)?.[1]
      if (found !== undefined) resolve(found)
    })
    ended.then(() => reject(new Error(`It ended: ${words}`)))
  })
  return { url, ended, interrupt: () => process.kill(-(child.pid ?? 0), 'SIGINT') }
}
