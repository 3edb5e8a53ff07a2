import { limits } from '../../limits.ts'
import type { Column, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { findRange, recordsPerStep } from '../reading/record-ranges.ts'
import type { ScanStep } from '../reading/record-scanner.ts'
import type { SizedRange } from '../reading/record-size-reader.ts'
import type { StoredRecord } from '../stored/stored-record.ts'

/** Records that the background works on together, and where it goes on after them. */
export interface RecordPage {
  readonly records: readonly StoredRecord[]
  /** Bytes that a record takes as it is stored, on average. */
  readonly bytesPerRecord: number | undefined
  /** The number up to which no record is left. */
  readonly reached: number
  /** Whether that is where the pages end. */
  readonly isLast: boolean
}

/** Which records pages are of, and what is read of them. */
interface PagesOptions extends Pick<ScanStep, 'lock' | 'parts' | 'withDeleted'> {
  /** The greatest number of a record. */
  readonly until: number
  readonly columns: readonly Column[]
}

/** Pages that are measured together where statements go over a network: as many as a transaction comes through, mostly. */
const pagesMeasuredOverNetwork = 4

/**
 * The records of a table page by page, in one transaction. They are measured before they are read, so that no page is too long;
 * over a network several pages at a time, and ahead, since a page can be asked for at once then while the one before is worked on.
 */
export class RecordPages {
  readonly #tx: ReadTx
  readonly #schema: TableSchema
  readonly #options: PagesOptions
  #range: SizedRange | undefined
  /** How many of its records no page was asked for. */
  #left = 0
  /** The range that follows it, where that is asked for already. */
  #ahead: Promise<SizedRange | undefined> | undefined

  constructor(tx: ReadTx, schema: TableSchema, options: PagesOptions) {
    this.#tx = tx
    this.#schema = schema
    this.#options = options
  }

  /** The records that follow a number: that of no record, or `reached` of the page before. */
  async after(after: number): Promise<RecordPage> {
    const { until: end, columns, ...how } = this.#options
    const range = await this.#rangeAfter(after)
    // A single record may be as long as it likes. One is asked for where none was found.
    const areSmall = range !== undefined && range.bytes <= limits.bytesPerCalculation
    const take = Math.min(range?.count ?? 1, recordsPerStep(this.#tx))
    const until = range && { until: range.until }
    const step: ScanStep = { ...how, ...until, after, take, areSmall }
    const reading = this.#tx.recordScanner.next(this.#schema, step, columns)
    this.#left -= take
    this.#askAhead()
    const found = await reading
    const records = found.records.filter(({ autoNumber }) => autoNumber <= end)
    const last = found.records.at(-1)?.autoNumber
    // A record that came back after they were measured takes the place of another one, which is still to be read then.
    const isThrough =
      !found.isCut && (found.records.length < take || !range || last === range.until)
    const isAtEnd = records.length < found.records.length
    const isLast = isAtEnd || (isThrough && (range?.isLast ?? true))
    const reached = (isThrough ? range?.until : last) ?? end
    return {
      records,
      bytesPerRecord: range && range.bytes / range.count,
      reached: isLast ? end : Math.min(reached, end),
      isLast: isLast || reached >= end,
    }
  }

  /** Waits for what is asked ahead; nothing may be asked once the transaction has ended. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#ahead])
  }

  async #rangeAfter(after: number): Promise<SizedRange | undefined> {
    if (this.#range && after < this.#range.until) return this.#range
    const range = await (this.#ahead ?? this.#measure(after))
    this.#ahead = undefined
    this.#range = range
    this.#left = range?.count ?? 0
    return range
  }

  /** Early enough that the page before the next range is still to be worked on when it is known. */
  #askAhead(): void {
    const range = this.#range
    const isDue =
      range !== undefined && !range.isLast && this.#left <= recordsPerStep(this.#tx) && !this.#ahead
    if (!this.#tx.mayAskAhead || !isDue || range.until >= this.#options.until) return
    this.#ahead = this.#measure(range.until)
    // Whoever awaits it hears of its failure; nobody does where the transaction ends before.
    this.#ahead.catch(() => {})
  }

  #measure(after: number): Promise<SizedRange | undefined> {
    const { withDeleted = false } = this.#options
    const pages = this.#tx.mayAskAhead ? pagesMeasuredOverNetwork : 1
    const records = pages * recordsPerStep(this.#tx)
    return findRange(this.#tx, this.#schema, { after, withDeleted, records })
  }
}
