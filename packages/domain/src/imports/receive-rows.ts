import { type Timestamp, toTimestamp } from '../clock.ts'
import { DomainError, invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Ports } from '../ports.ts'
import type { WriteTx } from '../store.ts'
import type { CallContext } from '../use-case.ts'
import type { CsvForm, CsvRow } from './csv-reader.ts'
import { type Import, noProgress, type RowIssue } from './import.ts'
import type { SentContent } from './sent-content.ts'

/** What is asked of the file of an import. */
interface SentFile extends CsvForm {
  readonly content: SentContent
  readonly excludeFirstRow: boolean
  readonly partial: boolean
  /** Throws validation_error for columns that can't be imported: no more of the file is read then. */
  readonly checkHeader: (header: readonly string[]) => void
}

/** A file that has come whole. */
export interface ReceivedFile {
  readonly importId: string
  /** The texts of its first row where that has the names of the columns, else an empty one for each column. */
  readonly header: readonly string[]
  /** Its first rows. */
  readonly sample: readonly CsvRow[]
  /** Whether these are all, and none waits in the storage. */
  readonly isWhole: boolean
  readonly rowsRead: number
  /** Why it was read no further, where that was allowed. */
  readonly issues: readonly RowIssue[]
}

/** What receiving a file takes. */
export type ReceivingContext = Pick<CallContext, 'ids' | 'now'> &
  Pick<Ports, 'store' | 'csvReader' | 'clock'> & {
    readonly userId: string
    readonly baseId: string
  }

/**
 * Reads the rows of a file as it comes. A short one stays in memory; the rows of a longer one wait in the storage, a piece
 * in a transaction each, so that none is longer than its file's slowest part. Nothing of it waits there when it fails:
 * throws validation_error for what is no CSV file, request_timeout for one that takes too long to come, and what reading it
 * throws.
 */
export async function receiveRows(
  context: ReceivingContext,
  { content, excludeFirstRow, partial, checkHeader, ...form }: SentFile,
): Promise<ReceivedFile> {
  const waiting = new WaitingRows(context)
  const issues: RowIssue[] = []
  let header: readonly string[] | undefined
  try {
    const file = await context.csvReader.open(content, form)
    for await (const rows of file.rows) {
      let first = 0
      if (!header && rows[0]) {
        header = headerOf(rows[0], excludeFirstRow)
        checkHeader(header)
        first = excludeFirstRow ? 1 : 0
      }
      await waiting.add(first === 0 ? rows : rows.slice(first))
    }
    if (!header) throw invalidAt(['content'], 'must have a row: the file is empty')
  } catch (error) {
    const isOfFile = error instanceof DomainError && error.code === 'validation_error'
    if (!partial || !isOfFile || waiting.count === 0) {
      await waiting.forget()
      throw error
    }
    issues.push({
      line: waiting.lastLine,
      message: `the rows after this line were not read: ${error.data?.issues?.[0]?.message ?? error.message}`,
    })
  }
  await waiting.end()
  const { importId, sample, isWhole, count: rowsRead } = waiting
  return { importId, header: header ?? [], sample, isWhole, rowsRead, issues }
}

/** Gives up a file whose rows nobody will write: what waits of it in the storage expires. One that has begun goes on. */
export async function forgetRows(
  { store, now }: Pick<ReceivingContext, 'store' | 'now'>,
  { importId, isWhole }: Pick<ReceivedFile, 'importId' | 'isWhole'>,
): Promise<void> {
  if (isWhole) return
  await store.write(async (tx) => {
    const one = await tx.imports.find(importId, 'update')
    if (one?.state === 'arriving') await tx.imports.save({ ...one, expiresTime: now })
  })
}

/** An import some rows of which wait, held so that nobody removes them. Throws request_timeout where that may have begun. */
export async function holdArrived(
  { tx, clock }: { readonly tx: WriteTx } & Pick<Ports, 'clock'>,
  importId: string,
): Promise<Import> {
  const one = await tx.imports.find(importId, 'update')
  if (!one || one.expiresTime <= toTimestamp(clock.now())) throw tookTooLong()
  return one
}

/**
 * The header that the first row of a file makes: its texts, or an empty one for each column. Throws validation_error for
 * more columns than a table has.
 */
export function headerOf({ line, cells }: CsvRow, isHeader: boolean): readonly string[] {
  if (cells.length > limits.fieldsPerTable) {
    const most = limits.fieldsPerTable
    throw invalidAt(
      ['content'],
      `line ${line}: has ${cells.length} columns; a table has ${most} at most`,
    )
  }
  return isHeader ? cells : cells.map(() => '')
}

/** Rows that have come and are not written yet: in memory while they are few, else in the storage. */
class WaitingRows {
  readonly importId: string
  readonly sample: CsvRow[] = []
  count = 0
  lastLine = 0
  isWhole = true
  readonly #context: ReceivingContext
  #sampleLength = 0
  /** Those that wait for a piece to be full. */
  #rows: CsvRow[] = []
  #length = 0
  #pieces = 0

  constructor(context: ReceivingContext) {
    this.#context = context
    this.importId = context.ids.next('import')
  }

  async add(rows: readonly CsvRow[]): Promise<void> {
    for (const row of rows) {
      this.count++
      this.lastLine = row.line
      if (this.#fits(row)) {
        this.sample.push(row)
        this.#sampleLength += lengthOf(row)
      } else {
        if (this.isWhole) await this.#begin()
        await this.#put(row)
      }
    }
    await this.#context.store.giveWay()
  }

  /** All have come: what waits has time again until it is written. */
  async end(): Promise<void> {
    if (!this.isWhole) await this.#save({ isLast: true })
  }

  /** Removes what waits in the storage. */
  async forget(): Promise<void> {
    await forgetRows(this.#context, this)
  }

  #fits(row: CsvRow): boolean {
    return (
      this.isWhole &&
      this.sample.length < limits.importRowsAtOnce &&
      this.#sampleLength + lengthOf(row) <= limits.importLengthAtOnce
    )
  }

  /** More rows have come than are held in memory. */
  async #begin(): Promise<void> {
    this.isWhole = false
    const { store, baseId, now } = this.#context
    await store.write(async (tx) => {
      if ((await tx.imports.countOpenHeld(baseId, now)) >= limits.importsPerBase) throw tooMany()
      await tx.imports.save(this.#arriving())
    })
    for (const row of this.sample) await this.#put(row)
  }

  /** Has the row wait in the storage. */
  async #put(row: CsvRow): Promise<void> {
    this.#rows.push(row)
    this.#length += lengthOf(row)
    const isFull =
      this.#rows.length >= limits.rowsPerImportPiece || this.#length >= limits.importPieceLength
    if (isFull) await this.#save({ isLast: false })
  }

  /** Keeps the rows, unless those before them are being removed because the file has taken too long. */
  async #save({ isLast }: { readonly isLast: boolean }): Promise<void> {
    const { store, clock } = this.#context
    const piece = { importId: this.importId, number: this.#pieces, rows: this.#rows }
    await store.write(async (tx) => {
      const one = await holdArrived({ tx, clock }, this.importId)
      const now = toTimestamp(clock.now())
      if (piece.rows.length > 0) await tx.imports.savePiece(piece)
      if (isLast) await tx.imports.save({ ...one, expiresTime: arrivalEnd(now) })
    })
    this.#pieces++
    this.#rows = []
    this.#length = 0
  }

  #arriving(): Import {
    const { baseId, userId, now } = this.#context
    return {
      id: this.importId,
      baseId,
      tableId: null,
      fieldIds: [],
      state: 'arriving',
      progress: noProgress,
      createdBy: userId,
      createdTime: now,
      expiresTime: arrivalEnd(now),
    }
  }
}

/** The characters of a row, with what stands around each cell: no cell takes nothing. */
export function lengthOf({ cells }: CsvRow): number {
  return cells.reduce((sum, text) => sum + text.length + 3, 0)
}

function arrivalEnd(now: Timestamp): Timestamp {
  return toTimestamp(Date.parse(now) + limits.importArrivalHours * 3_600_000)
}

function tookTooLong(): DomainError {
  const most = limits.importArrivalHours
  return new DomainError(
    'request_timeout',
    `The file took too long to come, and nothing of it was kept: it may take ${most} hour${most === 1 ? '' : 's'}`,
  )
}

function tooMany(): DomainError {
  const retryAfterSeconds = 30
  return new DomainError(
    'too_many_requests',
    `A base has ${limits.importsPerBase} imports under way at most: wait until one has ended`,
    { retryAfterSeconds },
  )
}
