import { z } from 'zod'

/** A file that somebody brings; a `File` of the platform is one. */
export interface FileSource {
  /** What it is called; may be anything. */
  readonly name: string
  /** Its bytes, piece by piece. Asked for once. */
  stream(): AsyncIterable<Uint8Array>
}

/**
 * A file in an input. What is kept of it for the comparison with a repeated call is its name: its bytes are read once,
 * and go by.
 */
export const fileSourceSchema = z
  .custom<FileSource>(isFileSource, {
    error: ({ input }) =>
      input === undefined
        ? 'is required'
        : 'must be a file: in a form, a part that has a filename; in a program, { name, stream() }',
  })
  .transform((file) => ({
    name: file.name,
    stream: () => file.stream(),
    toJSON: () => ({ name: file.name }),
  }))
  .meta({ type: 'string', format: 'binary' })

function isFileSource(value: unknown): value is FileSource {
  if (typeof value !== 'object' || value === null) return false
  const { name, stream } = value as Partial<FileSource>
  return typeof name === 'string' && typeof stream === 'function'
}
