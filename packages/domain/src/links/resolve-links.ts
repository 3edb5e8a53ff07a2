import { mayReadBase, type Reader } from '../bases/may-read-base.ts'
import { assert, type DomainError, invalidAt } from '../errors.ts'
import type { Cell } from '../fields/cell.ts'
import type { LinkedCell } from '../fields/computed/computation.ts'
import { isExclusive, otherEnd } from '../fields/link-end.ts'
import { idPrefixes } from '../ids/id-prefixes.ts'
import { limits } from '../limits.ts'
import { notLinkable } from '../records/input/not-linkable.ts'
import { type IssueLocator, RowIssues } from '../records/input/row-issues.ts'
import { findPeople, noteUsers } from '../records/reading/find-people.ts'
import { collectRecords } from '../records/reading/scan-records.ts'
import { cellOf } from '../records/stored/cell-of.ts'
import type { CellPatch, ReplacedColumns } from '../records/stored/cell-patch.ts'
import type { StoredRecord } from '../records/stored/stored-record.ts'
import type { LoadedTable, SchemaGraph } from '../schemas/schema-graph.ts'
import type { ColumnField, TableSchema } from '../schemas/table-schema.ts'

/** Rows whose link cells are to be checked. */
interface LinkingRows {
  readonly rows: readonly CellPatch[]
  readonly locator: IssueLocator
  /** The records that the rows change, in the same order; empty where the rows make new ones. */
  readonly existing: readonly StoredRecord[]
  /** Counts the steps that titles take: the number of links in a request is their bound. */
  spend(steps: number): void
  /** Whether nothing is going to be written, so that no record is held. */
  readonly isPreview?: boolean
}

/**
 * Checks the links that rows make. Returns their cells with the titles of what they link to. The linked records are held, so that
 * nobody deletes them meanwhile; where they show the link they are held for a change from the beginning,
 * those that are let go too: of two writers who share a record, neither could go on to change it.
 * Refuses records that aren't there or that the caller may not read, and such as are taken where a
 * record takes one link at most.
 */
export async function resolveLinks(
  reader: Reader,
  graph: SchemaGraph,
  schema: TableSchema,
  { rows, locator, existing, spend, isPreview = false }: LinkingRows,
): Promise<ReplacedColumns> {
  const issues = new RowIssues(locator)
  const titled = new Map<number, CellPatch>()
  let count = 0
  for (const schemaField of schema.columns) {
    const { link, column } = schemaField
    if (!link || !rows.some((row) => row[column.index] !== undefined)) continue
    const foreign = await graph.find(link.foreignTableId)
    assert(foreign, `the table that ${schemaField.field.id} links to is there`)
    const links = rows.map((row, index) => linksIn(schemaField, row, existing[index]))
    for (const { ids, known } of links) count += Math.max(ids.length, known.size)
    if (count > limits.linksPerRequest) throw tooMany()
    const linking: Linking = {
      schemaField,
      foreign,
      rows,
      links,
      existing,
      issues,
      spend,
      isPreview,
    }
    titled.set(column.index, await giveTitles(reader, schema, linking))
    await refuseTaken(reader, linking)
  }
  issues.throwIfAny()
  return titled
}

function tooMany(): DomainError {
  const most = limits.linksPerRequest
  return invalidAt([], `a request can change cells of ${most} links at most: send it in parts`)
}

interface Linking extends Pick<LinkingRows, 'rows' | 'existing' | 'spend' | 'isPreview'> {
  readonly schemaField: ColumnField
  readonly foreign: LoadedTable
  /** In the order of the rows. */
  readonly links: readonly RowLinks[]
  readonly issues: RowIssues
}

/** What a row says of the links of its record. */
interface RowLinks {
  /** The records that the cell links to from now on; none for a row that leaves the cell as it is. */
  readonly ids: readonly string[]
  /** Those that the record is linked to already. */
  readonly known: ReadonlySet<string>
}

const noLinks: RowLinks = { ids: [], known: new Set() }

function linksIn(
  { link, column }: ColumnField,
  row: CellPatch,
  record: StoredRecord | undefined,
): RowLinks {
  const cell = row[column.index]
  if (cell === undefined || !link) return noLinks
  const recordIds = (one: Cell | null) => (one === null ? [] : link.capability.recordIds(one))
  return { ids: recordIds(cell), known: new Set(recordIds(record?.cells[column.index] ?? null)) }
}

/** The cells of all rows in the link field, with titles. */
async function giveTitles(
  reader: Reader,
  { baseId }: TableSchema,
  linking: Linking,
): Promise<CellPatch> {
  const { schemaField, foreign, rows, links, issues, spend, isPreview } = linking
  const { tx } = reader
  const { computation, column } = schemaField
  const cells = rows.map((row) => row[column.index])
  const source = foreign.schema.byKey.id.get(computation?.through?.fieldId ?? '')
  const isShown = schemaField.link?.symmetricFieldId !== undefined
  const wanted = new Set(links.flatMap(({ ids, known }) => (isShown ? [...ids, ...known] : ids)))
  if (wanted.size === 0) return cells
  const columns = source?.column ? [source.column] : []
  const lock = isPreview ? 'none' : isShown ? 'update' : 'share'
  const byId = await collectRecords(tx, foreign.schema, wanted, lock, { columns })
  const isReadable =
    foreign.table.baseId === baseId || (await mayReadBase(reader, foreign.table.baseId))
  const userIds = new Set<string>()
  if (source) noteUsers(source, byId.values(), userIds)
  const people = await findPeople(tx, userIds)
  const evaluate = computation?.ready()
  for (const [index, { ids, known }] of links.entries()) {
    if (ids.length === 0) continue
    await tx.giveWay()
    const missing = ids.find((id) => !byId.has(id) || (!isReadable && !known.has(id)))
    if (missing !== undefined) {
      issues.add(index, schemaField, `${notLinkable(missing)}${titleHint(missing)}`)
      continue
    }
    const linked = ids.flatMap((recordId): LinkedCell[] => {
      const record = byId.get(recordId)
      return record ? [{ recordId, cell: source ? cellOf(source, record) : null }] : []
    })
    const inputs = { row: noRow, linked, source, people, spend }
    cells[index] = evaluate?.(inputs) ?? null
  }
  return cells
}

/** Titles come from linked records alone. */
const noRow = {
  now: '',
  recordId: '',
  autoNumber: 0,
  createdTime: '',
  lastModifiedTime: null,
  cell: () => null,
}

/** Where a linked record takes one link at most, refuses one that would get a second. */
async function refuseTaken({ tx }: Reader, linking: Linking): Promise<void> {
  const { schemaField, rows, links, existing, issues } = linking
  const { link } = schemaField
  if (!link || !isExclusive(link.end.relationship)) return
  const rowByForeignId = new Map<string, number>()
  links.forEach(({ ids }, index) => {
    for (const id of ids) {
      if (rowByForeignId.has(id)) {
        issues.add(index, schemaField, `names "${id}", which the request links twice`)
      } else rowByForeignId.set(id, index)
    }
  })
  const indexById = new Map(existing.map(({ id }, index) => [id, index]))
  const pairs = await tx.links.of(otherEnd(link.end), [...rowByForeignId.keys()])
  const takers = new Map(pairs.map(({ recordId, foreignId }) => [recordId, foreignId]))
  for (const [foreignId, index] of rowByForeignId) {
    const recordId = takers.get(foreignId)
    if (recordId === undefined) continue
    const holder = indexById.get(recordId)
    const isLetGo = holder !== undefined && rows[holder]?.[schemaField.column.index] !== undefined
    if (isLetGo) continue
    issues.add(
      index,
      schemaField,
      `names "${foreignId}", which another record is linked to already`,
    )
  }
}

/** Who sends what can't be an id may have meant a title. */
function titleHint(id: string): string {
  return id.startsWith(idPrefixes.record)
    ? ''
    : ': it takes the id of one; with typecast, titles are taken, too'
}
