import type { Base } from '../../bases/base.ts'
import { DomainError, invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Ports } from '../../ports.ts'
import { type WholeSchema, wholeSchemaOf } from '../../schemas/whole-schema.ts'
import type { ReadTx } from '../../store.ts'
import { physicalNameOf, type Table } from '../../tables/table.ts'
import type { View } from '../../views/view.ts'

/** Reads what one part of an archive needs, on a snapshot of its own, for who may export the base then. */
export type Reading = <T>(work: (tx: ReadTx, base: Base) => Promise<T>) => Promise<T>

/** What an archive is written with. */
export interface ArchiveSource extends Pick<Ports, 'blobs' | 'secrets'> {
  readonly read: Reading
  /** Whether records come along, with their links and files and the orders of rows. */
  readonly includeData: boolean
  /** Whether it comes along who changed which cell; with the records alone. */
  readonly includeHistory: boolean
  /** Whether the trash of the base and of its tables comes along; with the records alone. */
  readonly includeTrash: boolean
}

/** A table whose settings are in the archive. */
export interface WrittenTable extends WholeSchema {
  readonly table: Table
  /** The operation that deleted it; undefined for one that lives. */
  readonly deletion: string | undefined
  /** The fields that are not in the archive. */
  readonly leftOut: ReadonlySet<string>
  /** The views whose rows were put into an order. */
  readonly ordered: readonly View[]
  /** The tags of schemas that were found to have the same fields: others keep indexes of a table meanwhile. */
  readonly sameTags: Set<string>
}

/** The fields of a table that an archive is to have. */
export async function fieldsToWrite(
  { includeTrash }: Pick<ArchiveSource, 'includeTrash'>,
  tx: Pick<ReadTx, 'fields'>,
  table: Table,
): Promise<WholeSchema> {
  if (includeTrash) return wholeSchemaOf(tx, table, tooMuchInTrash)
  return { schema: await tx.fields.schemaOf(table), deletions: new Map() }
}

/** The table as it is now. Throws `conflict` where it has no longer the fields with which it is written. */
export async function requireAsWritten(
  source: Pick<ArchiveSource, 'includeTrash'>,
  tx: Pick<ReadTx, 'fields' | 'tables'>,
  written: Omit<WrittenTable, 'ordered' | 'leftOut'>,
): Promise<void> {
  const { table, deletion, sameTags } = written
  const [living] = await tx.tables.findAll([table.id], 'none')
  if ((living === undefined) !== (deletion !== undefined)) throw changedMeanwhile()
  const now = living ?? (await tx.tables.findInBase(table.id))
  // What is written with is the schema of the beginning, which names the place of the records.
  if (!now || physicalNameOf(now) !== physicalNameOf(table) || now.baseId !== table.baseId) {
    throw changedMeanwhile()
  }
  if (now.schemaTag === table.schemaTag || sameTags.has(now.schemaTag)) return
  if (fieldsIn(await fieldsToWrite(source, tx, now)) !== fieldsIn(written)) throw changedMeanwhile()
  sameTags.add(now.schemaTag)
}

function fieldsIn({ schema, deletions }: WholeSchema): string {
  return JSON.stringify([schema.fields.map(({ field, column }) => [field, column]), [...deletions]])
}

/** What is said where tables or fields aren't any more what they were at the beginning. */
export function changedMeanwhile(): DomainError {
  const message = 'Tables or fields of the base were changed meanwhile: export it again'
  return new DomainError('conflict', message)
}

/** What is said where more lies in a trash than an archive has. */
export function tooMuchInTrash(): DomainError {
  const most = limits.deletedThingsPerArchive
  const message = `more lies in the trash than an archive has: ${most} tables, dashboards, workflows, fields and views, and what they say; purge some of it, or leave it out`
  return invalidAt(['includeTrash'], message)
}
