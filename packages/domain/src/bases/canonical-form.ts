import type { Secrets } from '../secrets.ts'
import type { ReadTx } from '../store.ts'
import type { CanonicalStructure } from './canonical-reader.ts'

/** Records read at a time. */
const recordsAtOnce = 1_000

/** The hash of a base, and how much went into it. */
export interface CanonicalHash {
  /** SHA-256 in hexadecimal. Equal for two bases exactly when all that is stored of them is equal. */
  readonly hash: string
  /** Records, living and deleted. */
  readonly records: number
}

/**
 * The hash of a base's canonical form: the rows of its structure by kind and id, then the records table
 * by table in the order of their numbers, each row as JSON with sorted members. Pages are chained, so
 * that a base of any size takes the memory of one page.
 */
export async function hashBase(
  tx: Pick<ReadTx, 'canonical'>,
  secrets: Pick<Secrets, 'digest'>,
  structure: CanonicalStructure,
): Promise<CanonicalHash> {
  let hash = ''
  let records = 0
  const chain = (kind: string, rows: readonly unknown[]) => {
    hash = secrets.digest(`${hash}\n${kind}\n${rows.map(toCanonicalJson).join('\n')}`)
  }
  for (const kind of Object.keys(structure).toSorted()) {
    chain(kind, structure[kind as keyof CanonicalStructure])
  }
  for (const { id } of structure.tables) {
    for (let place = { tableId: id as string, after: 0 }; ; ) {
      const page = await tx.canonical.records(place, recordsAtOnce)
      chain(place.tableId, page)
      records += page.length
      const last = page.at(-1)
      if (!last || page.length < recordsAtOnce) break
      place = { ...place, after: last.autoNumber as number }
    }
  }
  return { hash, records }
}

/** JSON whose members are sorted at every level. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
