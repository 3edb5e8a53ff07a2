import type { Digester, Secrets } from '../secrets.ts'
import type { ReadTx } from '../store.ts'
import type { CanonicalCommentPlace, CanonicalRow, CanonicalStructure } from './canonical-reader.ts'

/** Records that are chained as one: the hash depends on it. */
const recordsPerLink = 1_000

/** Comments that are read at a time: a megabyte or two at most. */
const commentsPerPage = 50

/** Rows after which others may have their turn: some milliseconds where they are large. */
const rowsPerTurn = 20

/** Characters of a row after which others may have their turn. */
const lengthPerTurn = 100_000

/** Characters that an item of a list counts for which is no text, such as a link. */
const itemLength = 50

/** A row's members, and its cells within them, are made into text one by one. */
const levelsInPieces = 2

/** The hash of a base, and how much went into it. */
interface CanonicalHash {
  /** SHA-256 in hexadecimal. Equal for two bases exactly when all that is stored of them is equal. */
  readonly hash: string
  /** Records, living and deleted. */
  readonly records: number
}

/**
 * The hash of a base's canonical form: the rows of its structure by kind and id, then the records table
 * by table in the order of their numbers, and their comments, each row as JSON with sorted members. Each kind, each
 * thousand records, and the comments of each table, is a link of a chain that has the hash of the one before in it. Nothing is put
 * together to be hashed: a base of any size takes the memory of one batch.
 */
export async function hashBase(
  tx: Pick<ReadTx, 'canonical' | 'giveWay'>,
  secrets: Pick<Secrets, 'digester'>,
  structure: CanonicalStructure,
): Promise<CanonicalHash> {
  let hash = ''
  let records = 0
  for (const kind of toldKinds(structure)) {
    const link = new ChainLink(secrets, hash, kind)
    for (const row of structure[kind]) {
      link.add(row)
      if (link.rows % rowsPerTurn === 0) await tx.giveWay()
    }
    hash = link.end()
  }
  for (const { id } of structure.tables) {
    const tableId = id as string
    let link = new ChainLink(secrets, hash, tableId)
    for await (const batch of recordsOf(tx, tableId)) {
      records += batch.length
      for (const row of batch) {
        if (isLong(row)) await link.addInTurns(row, tx)
        else link.add(row)
        if (link.rows % rowsPerTurn === 0) await tx.giveWay()
        if (link.rows < recordsPerLink) continue
        hash = link.end()
        link = new ChainLink(secrets, hash, tableId)
      }
    }
    hash = link.end()
    const said = new ChainLink(secrets, hash, `${tableId} comments`)
    for await (const comments of commentsOf(tx, tableId)) {
      for (const row of comments) said.add(row)
      await tx.giveWay()
    }
    // Bases of before there were comments have the hash that they had.
    if (said.rows > 0) hash = said.end()
  }
  return { hash, records }
}

/** Kinds that are told of only where there are some, so that bases of before they were there have the hash they had. */
const addedKinds: ReadonlySet<string> = new Set<keyof CanonicalStructure>([
  'pluginInstalls',
  'pluginPanels',
])

function toldKinds(structure: CanonicalStructure): readonly (keyof CanonicalStructure)[] {
  const kinds = Object.keys(structure).toSorted() as (keyof CanonicalStructure)[]
  return kinds.filter((kind) => !addedKinds.has(kind) || structure[kind].length > 0)
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

  /** Adds a long row, which takes twice as long as `add`: others have their turn between its values. */
  async addInTurns(row: CanonicalRow, tx: Pick<ReadTx, 'giveWay'>): Promise<void> {
    let text = this.rows === 0 ? '' : '\n'
    for (const piece of canonicalPieces(row, levelsInPieces)) {
      text += piece
      if (text.length < lengthPerTurn) continue
      this.#digester.add(text)
      text = ''
      await tx.giveWay()
    }
    this.#digester.add(text)
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

async function* commentsOf(
  { canonical }: Pick<ReadTx, 'canonical'>,
  tableId: string,
): AsyncGenerator<readonly CanonicalRow[]> {
  for (let after: CanonicalCommentPlace['after']; ; ) {
    const rows = await canonical.comments({ tableId, ...(after && { after }) }, commentsPerPage)
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < commentsPerPage) return
    after = { recordId: last.recordId as string, number: last.number as number }
  }
}

/** JSON whose members are sorted at every level. */
export function toCanonicalJson(value: unknown): string {
  // Those of records are: to sort the members of each anew takes several times as long as to write them.
  if (isInOrder(value)) return JSON.stringify(value)
  return JSON.stringify(value, (_key, member: unknown) =>
    isPlain(member) ? withSortedMembers(member) : member,
  )
}

/** Whether the members of the value are sorted at every level as they are. */
function isInOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isInOrder)
  let before = ''
  // Not by entries(): that would make a list for each of a million records.
  for (const name in value) {
    if (name < before) return false
    const member: unknown = value[name as keyof typeof value]
    if (typeof member === 'object' && !isInOrder(member)) return false
    before = name
  }
  return true
}

/** The text of `toCanonicalJson` in pieces: one for each value that lies so many levels deep. */
export function* canonicalPieces(value: unknown, levels: number): Generator<string> {
  if (levels === 0 || !isPlain(value)) {
    yield isPlain(value) || Array.isArray(value) ? toCanonicalJson(value) : JSON.stringify(value)
    return
  }
  let before = '{'
  for (const [name, member] of Object.entries(withSortedMembers(value))) {
    if (member === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* canonicalPieces(member, levels - 1)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

/** Whether the texts in the cells of a record, and what else lists hold, take a while to be written. */
function isLong({ cells }: CanonicalRow): boolean {
  let length = 0
  for (const cell of Object.values(cells ?? {})) {
    if (typeof cell === 'string') length += cell.length
    if (!Array.isArray(cell)) continue
    for (const item of cell) length += typeof item === 'string' ? item.length : itemLength
  }
  return length >= lengthPerTurn
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function withSortedMembers(value: object): object {
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
