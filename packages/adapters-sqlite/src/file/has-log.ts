import { closeSync, openSync, readSync } from 'node:fs'

/** Where the header of a file says how it is read and written: 2 and 2 with a log (https://sqlite.org/fileformat.html). */
const place = 18
const withLog = Buffer.from([2, 2])

/**
 * Whether the file is written by way of a log beside it, which may have what the file lacks. Without opening it as a database,
 * which could make that log.
 */
export function hasLog(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const read = Buffer.alloc(withLog.length)
    readSync(descriptor, read, 0, read.length, place)
    return read.equals(withLog)
  } finally {
    closeSync(descriptor)
  }
}
