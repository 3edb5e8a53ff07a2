import type { Digester, Secrets } from '../secrets.ts'
import type { ReadTx } from '../store.ts'
import type { CanonicalRow, CanonicalStructure } from './canonical-reader.ts'

/** Records that are chained as one: the hash depends on it. */
const recordsPerLink = 1_000

/** Rows after which others may have their turn: some milliseconds where they are large. */
const rowsPerTurn = 20

/** The hash of a base, and how much went into it. */
export interface CanonicalHash {
  /** SHA-256 in hexadecimal. Equal for two bases exactly when all that is stored of them is equal. */
  readonly hash: string
  /** Records, living and deleted. */
  readonly records: number
}

/**
 * The hash of a base's canonical form: the rows of its structure by kind and id, then the records table
 * by table in the order of their numbers, each row as JSON with sorted members. Each kind, and each
 * thousand records, is a link of a chain that has the hash of the one before in it. Nothing is put
 * together to be hashed: a base of any size takes the memory of one batch.
 */
export async function hashBase(
  tx: Pick<ReadTx, 'canonical' | 'giveWay'>,
  secrets: Pick<Secrets, 'digester'>,
  structure: CanonicalStructure,
): Promise<CanonicalHash> {
  let hash = ''
  let records = 0
  for (const kind of Object.keys(structure).toSorted()) {
    const link = new ChainLink(secrets, hash, kind)
    for (const row of structure[kind as keyof CanonicalStructure]) link.add(row)
    hash = link.end()
  }
  for (const { id } of structure.tables) {
    const tableId = id as string
    let link = new ChainLink(secrets, hash, tableId)
    for await (const batch of recordsOf(tx, tableId)) {
      records += batch.length
      for (const row of batch) {
        link.add(row)
        if (link.rows % rowsPerTurn === 0) await tx.giveWay()
        if (link.rows < recordsPerLink) continue
        hash = link.end()
        link = new ChainLink(secrets, hash, tableId)
      }
    }
    hash = link.end()
  }
  return { hash, records }
}

/** One link of the chain, made row by row. */
class ChainLink {
  rows = 0
  readonly #digester: Digester

  constructor(secrets: Pick<Secrets, 'digester'>, before: string, kind: string) {
    this.#digester = secrets.digester()
    this.#digester.add(`${before}\n${kind}\n`)
  }

  add(row: CanonicalRow): void {
    const json = toCanonicalJson(row)
    this.#digester.add(this.rows === 0 ? json : `\n${json}`)
    this.rows++
  }

  end(): string {
    return this.#digester.end()
  }
}

async function* recordsOf(
  { canonical }: Pick<ReadTx, 'canonical'>,
  tableId: string,
): AsyncGenerator<readonly CanonicalRow[]> {
  for (let after = 0; ; ) {
    const { rows, isCut } = await canonical.records({ tableId, after }, recordsPerLink)
    yield rows
    const last = rows.at(-1)
    if (!last || (!isCut && rows.length < recordsPerLink)) return
    after = last.autoNumber as number
  }
}

/** JSON whose members are sorted at every level. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
