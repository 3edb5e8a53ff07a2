import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { nameOnce, syncFolder } from '@gateleg/adapters-sqlite/file/write-copy'
import { ConfigurationError } from '../configuration/configuration.ts'

/** What ends the program before it is done: the operator, the system, a terminal that is closed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Throws a ConfigurationError where there is such a file already, or no directory that it could lie in. */
export function requireFree(file: string): void {
  if (existsSync(file)) throw taken(file)
  const folder = dirname(resolve(file))
  if (existsSync(folder)) return
  throw new ConfigurationError([
    `There is no directory ${folder} to write ${file} to: make it, or choose another place.`,
  ])
}

/**
 * Writes the text to a new file that has its name only once it is whole and on the disk, and replaces none. Whatever else
 * becomes of it, a signal included, leaves nothing: half of a file would be taken for all of it. Throws a ConfigurationError
 * where the file is there already or can't be written, and whatever the text throws.
 */
export async function writeNewFile(
  file: string,
  text: AsyncIterable<string>,
  { mode }: { readonly mode: number },
): Promise<void> {
  requireFree(file)
  // Its own, so that two programs that write to one name don't write to one file.
  const part = `${file}.${randomBytes(4).toString('hex')}.part`
  const remove = () => rmSync(part, { force: true })
  const descriptor = explaining(file, () => openSync(part, 'wx', mode))
  const letGo = onSignal(remove)
  try {
    try {
      for await (const piece of text) explaining(file, () => writeAll(descriptor, piece))
      explaining(file, () => fsyncSync(descriptor))
    } finally {
      closeSync(descriptor)
    }
    explaining(file, () => nameOnce(part, file))
  } finally {
    remove()
    letGo()
  }
  syncFolder(dirname(resolve(file)))
}

function writeAll(descriptor: number, piece: string): void {
  const bytes = Buffer.from(piece)
  for (let from = 0; from < bytes.length; ) from += writeSync(descriptor, bytes, from)
}

/** Runs the work on the file; what the system says of that becomes a ConfigurationError. */
function explaining<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === undefined || syscall === undefined) throw error
    if (code === 'EEXIST') throw taken(file)
    throw new ConfigurationError([`${file} can't be written (${code}): choose another place.`])
  }
}

const taken = (file: string) =>
  new ConfigurationError([`${file} exists already: choose another name.`])

/** Does the work at a signal before that ends the program, as it does by itself. Answers what ends this. */
function onSignal(work: () => void): () => void {
  const listener = (signal: NodeJS.Signals) => {
    work()
    letGo()
    process.kill(process.pid, signal)
  }
  const letGo = () => {
    for (const signal of signals) process.off(signal, listener)
  }
  for (const signal of signals) process.on(signal, listener)
  return letGo
}
