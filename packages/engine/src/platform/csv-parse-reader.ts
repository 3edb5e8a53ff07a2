import { DomainError, invalidAt } from '@gateleg/domain/errors'
import {
  type CsvDelimiter,
  type CsvEncoding,
  type CsvFile,
  type CsvForm,
  type CsvReader,
  type CsvRow,
  csvDelimiters,
} from '@gateleg/domain/imports/csv-reader'
import { limits } from '@gateleg/domain/limits'
import { byteParts } from '@gateleg/domain/values/bytes/byte-parts'
import { textParts } from '@gateleg/domain/values/text-parts'
import type { CsvError, Info } from 'csv-parse'

/** Bytes of a file by which it is told how it is written. */
const sniffedBytes = 64 * 1024

/** Reads CSV files with the package `csv-parse`. */
export class CsvParseReader implements CsvReader {
  async open(content: AsyncIterable<Uint8Array>, form: CsvForm): Promise<CsvFile> {
    const source = content[Symbol.asyncIterator]()
    const { head, isWhole } = await readHead(source)
    const mark = markOf(head)
    const encoding = mark?.encoding ?? form.encoding ?? 'utf-8'
    const { fatal, text } = decoderOf(encoding)
    const delimiter = form.delimiter ?? guessDelimiter(text(head))
    async function* parts() {
      if (head.length > 0) yield head
      if (isWhole) return
      for (;;) {
        const { value, done } = await source.next()
        if (done) return
        yield value
      }
    }
    const texts = inShortParts(decode(parts(), fatal))
    return { encoding, delimiter, rows: closing(parse(texts, delimiter), source) }
  }
}

/** Bytes that become text in one go: where one of them is none, they are gone through one by one. */
const decodedBytes = 16 * 1024

/** The rows, with the source let go of when nobody asks for more. */
async function* closing(
  rows: AsyncIterable<readonly CsvRow[]>,
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<readonly CsvRow[]> {
  try {
    yield* rows
  } finally {
    await source.return?.()
  }
}

async function readHead(source: AsyncIterator<Uint8Array>) {
  const parts: Uint8Array[] = []
  let size = 0
  let isWhole = false
  while (size < sniffedBytes && !isWhole) {
    const { value, done } = await source.next()
    if (done) isWhole = true
    else {
      parts.push(value)
      size += value.length
    }
  }
  return { head: Buffer.concat(parts), isWhole }
}

const marks = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

/** The encoding that the byte order mark tells; undefined where there is none. */
function markOf(head: Uint8Array) {
  return marks.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte))
}

function decoderOf(encoding: CsvEncoding) {
  return {
    fatal: () => new TextDecoder(encoding, { fatal: true }),
    text: (bytes: Uint8Array) => new TextDecoder(encoding).decode(bytes, { stream: true }),
  }
}

/** The separator that the first lines have most of outside of quotes; a comma where they have none. */
function guessDelimiter(text: string): CsvDelimiter {
  const plain = text
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\n|\r/, 10)
    .join('\n')
  let best: CsvDelimiter = ','
  let most = 0
  for (const delimiter of csvDelimiters) {
    const count = plain.split(delimiter).length - 1
    if (count > most) {
      best = delimiter
      most = count
    }
  }
  return best
}

/**
 * The texts of the bytes, up to the first that is none in the encoding or is U+0000: then throws validation_error with its line,
 * however the bytes were divided.
 */
async function* decode(
  parts: AsyncIterable<Uint8Array>,
  makeDecoder: () => InstanceType<typeof TextDecoder>,
): AsyncGenerator<string> {
  const decoder = makeDecoder()
  // One part behind: where the other one gives up, it tells how far the text can be read.
  const behind = makeDecoder()
  const lines = new LineCount()
  const read = (part?: Uint8Array): { readonly text: string; readonly fault?: string } => {
    let text: string
    let fault: string | undefined
    try {
      text = part ? decoder.decode(part, { stream: true }) : decoder.decode()
      if (part) behind.decode(part, { stream: true })
    } catch {
      const advice =
        decoder.encoding === 'utf-8'
          ? ': name its encoding by the parameter encoding, such as windows-1252'
          : ''
      text = part ? textBeforeFault(behind, part) : ''
      fault = `the file is not ${decoder.encoding}${advice}`
    }
    const nul = text.indexOf('\0')
    if (nul !== -1) return { text: text.slice(0, nul), fault: nulFault }
    return fault === undefined ? { text } : { text, fault }
  }
  function* take({ text, fault }: ReturnType<typeof read>) {
    lines.pass(text)
    if (text !== '') yield text
    if (fault !== undefined) throw invalidAt(['content'], `line ${lines.line}: ${fault}`)
  }
  for await (const part of parts) {
    for (const some of byteParts(part, decodedBytes)) yield* take(read(some))
  }
  yield* take(read())
}

/** The text of the bytes up to the one at which the decoder gives up. */
function textBeforeFault(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string {
  let text = ''
  try {
    for (let at = 0; at < bytes.length; at++)
      text += decoder.decode(bytes.subarray(at, at + 1), { stream: true })
  } catch {
    // That is where it ends.
  }
  return text
}

const nulFault =
  'has the character U+0000, which no text has: is the file UTF-16, or not CSV at all?'

/** Counts the lines of a text that comes in parts: each ends with LF, CR or both. */
class LineCount {
  /** The line that what comes next is in, from 1. */
  line = 1
  #isAfterCr = false

  pass(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const isCr = code === 0x0d
      if (isCr || (code === 0x0a && !this.#isAfterCr)) this.line++
      this.#isAfterCr = isCr
    }
  }
}

/** The texts, cut so short that the rows of each are made in little time. */
async function* inShortParts(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield* textParts(text, limits.importTurnLength)
}

/** What the parser hands out of a row. */
interface Parsed {
  readonly record: readonly string[]
  readonly info: Info
}

async function* parse(
  texts: AsyncIterable<string>,
  delimiter: CsvDelimiter,
): AsyncGenerator<readonly CsvRow[]> {
  // Loaded by the first file: most starts need none.
  const { Parser } = await import('csv-parse')
  const rows: CsvRow[] = []
  let failure: Error | undefined
  const parser = new Parser({
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: limits.importRowLength,
    record_delimiter: ['\r\n', '\n', '\r'],
  })
  let before = 0
  /** What the parser counted too much: it takes a CR LF within quotes for two line breaks. */
  let excess = 0
  parser.on('data', ({ record, info }: Parsed) => {
    let breaks = 0
    for (const cell of record) {
      if (!/[\r\n]/.test(cell)) continue
      breaks += cell.split(/\r\n|\r|\n/).length - 1
      excess += cell.split('\r\n').length - 1
    }
    const last = info.lines - excess
    rows.push({ line: Math.max(before + 1, last - breaks), cells: record })
    before = last
  })
  parser.on('error', (error) => {
    failure = error
  })
  const take = () => rows.splice(0)
  /** Whether there may be some of these in the row that is refused, of which the parser hands nothing out. */
  let mayExceed = false
  const refusal = (error: Error) => toRefusal(error, before + 1, mayExceed ? undefined : excess)
  const write = (text: string) =>
    new Promise<void>((resolve) => void parser.write(text, () => resolve()))
  try {
    for await (const text of texts) {
      mayExceed ||= text.includes('\r')
      await write(text)
      if (rows.length > 0) yield take()
      if (failure) throw refusal(failure)
    }
  } catch (error) {
    const isOfFile = error instanceof DomainError && error.code === 'validation_error'
    if (failure || !isOfFile) throw error
    // The parser keeps the last row back until it sees what follows.
    await write(lookAhead)
    if (rows.length > 0) yield take()
    throw error
  }
  await new Promise<void>((resolve) => {
    parser.once('end', resolve)
    parser.once('error', () => resolve())
    parser.end()
  })
  if (rows.length > 0) yield take()
  if (failure) throw refusal(failure)
}

/** More than the parser looks ahead. */
const lookAhead = ' '.repeat(64)

/** What the parser refuses, by its codes. */
const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE:
    'a closing quote is not at the end of its cell: write each quote inside a cell twice',
  INVALID_OPENING_QUOTE:
    'a cell that does not begin with a quote has one inside: put the whole cell into quotes, and write each quote inside it twice',
  CSV_MAX_RECORD_SIZE: `a row has more than ${limits.importRowLength} bytes of UTF-8: is a quote opened and never closed?`,
}

/** Refusals that are told of the line in which the row begins: the parser has gone far beyond. */
const ofWholeRows: ReadonlySet<string> = new Set(['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE'])

/** What is told of the error: with its line, or with the one in which its row begins where it isn't known how much too far the parser has counted. */
function toRefusal(error: Error, rowLine: number, excess: number | undefined): Error {
  if (!isCsvError(error)) return error
  const reason = reasons[error.code]
  const { code, lines } = error
  const isOfRow = ofWholeRows.has(code) || typeof lines !== 'number' || excess === undefined
  const line = isOfRow ? rowLine : lines - excess
  return invalidAt(['content'], `line ${line}: ${reason}`)
}

function isCsvError(error: Error): error is CsvError {
  return 'code' in error && typeof error.code === 'string' && error.code in reasons
}
