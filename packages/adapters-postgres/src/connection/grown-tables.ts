import { limits } from '@gateleg/domain/limits'
import { WeightedCache } from '@gateleg/domain/structures/weighted-cache'
import { askedColumns } from '../dialect/asked-columns.ts'

/** How many rows were added to a table by this process. */
interface Growth {
  /** Before PostgreSQL was last told to look at it. */
  readonly seen: number
  /** Since then. */
  readonly added: number
}

/** Bytes that the growth of a table takes beside its name, roughly. */
const bytesPerTable = 200

/**
 * Has PostgreSQL look at tables that have grown much. It does so by itself a minute later at the earliest, and until then plans as
 * if nearly all records of a new table were deleted: it reads all of them where a page is asked for. A look also has statements
 * planned anew that were prepared while the table was small.
 */
export class GrownTables {
  readonly #look: (sql: string) => Promise<void>
  readonly #growth = new WeightedCache<string, Growth>(limits.grownTableBytes)
  readonly #due = new Set<string>()
  #looking: Promise<void> | undefined
  #isStopped = false

  /** Takes what runs a statement for which nobody waits. */
  constructor(look: (sql: string) => Promise<void>) {
    this.#look = look
  }

  /** Notes that rows were added to the table for good. */
  add(table: string, rows: number): void {
    const { seen, added: before } = this.#growth.get(table) ?? { seen: 0, added: 0 }
    const added = before + rows
    const isDue = added >= Math.max(limits.rowsAddedUnseen, seen)
    const growth = isDue ? { seen: seen + added, added: 0 } : { seen, added }
    this.#growth.keep(table, growth, bytesPerTable + table.length)
    if (!isDue || this.#isStopped) return
    this.#due.add(table)
    this.#looking ??= this.#lookAtAll()
  }

  /** Leaves alone what it has not begun to look at. */
  stop(): void {
    this.#isStopped = true
    this.#due.clear()
  }

  /** Resolves when all tables have been looked at that have grown much by now. */
  async settled(): Promise<void> {
    await this.#looking
  }

  /** One after another: whoever fills the tables needs the server's processors. */
  async #lookAtAll(): Promise<void> {
    for (const table of this.#due) {
      this.#due.delete(table)
      // The table may be gone, or no connection be had. Nobody misses the look: PostgreSQL comes round to the table by itself.
      await this.#look(lookAt(table)).catch(() => {})
    }
    this.#looking = undefined
  }
}

const quoted = '"(?:[^"]|"")+"'
/** What the statement that copies links begins with. */
const copied = 'with pairs as materialized \\([^()]*\\) '
const adding = new RegExp(`^(?:(?:${copied})?insert into|create table) (${quoted}\\.${quoted})`)

/** The table, as SQL names it, to which the statement adds rows; undefined for any other statement. */
export function tableAddedTo(sql: string): string | undefined {
  return adding.exec(sql)?.[1]
}

/** A table of records, or a copy of one: in the schema of a base, and none of the others that the service adds to it. */
const ofRecords = /^"bse[^"]*"\."(?!__(?!copy_))/

const askedFor = askedColumns.map(({ name }) => `"${name}"`).join(', ')

/**
 * What has PostgreSQL look at a table, unless anybody keeps it from being changed: to wait for that would end what PostgreSQL does
 * by itself to the table. It comes round to all columns by itself as if it had not been told to look at some.
 */
function lookAt(table: string): string {
  return `analyze (skip_locked) ${table}${ofRecords.test(table) ? ` (${askedFor})` : ''}`
}
