import type { Cell } from '../fields/cell.ts'
import { hasMany } from '../fields/link-end.ts'
import { limits } from '../limits.ts'
import type { RecordsToChange, SharedCells } from '../records/reading/record-reader.ts'
import { bareRecord } from '../records/stored/stored-record.ts'
import type { ColumnField, SchemaField } from '../schemas/table-schema.ts'
import { type Evaluator, evaluateRows } from './evaluation/evaluate-rows.ts'
import { StepBudget } from './evaluation/step-budget.ts'
import type { Stage } from './stages/plan-stages.ts'

/** A stage whose cells are alike in all records that its link leads to the same record. */
export interface SharedStage {
  readonly link: SharedCells['link']
  /** Those of its fields that can have changed. */
  readonly reached: readonly ColumnField[]
  /** The linked records that changed, each once. */
  readonly sourceIds: readonly string[]
}

/** Linked records for each of which the records that show it are looked for by themselves. */
const sourcesMax = 4

/**
 * The stage as one that is computed once for all records that show the same linked one: nothing that changed is in
 * these records themselves, and a single link leads each to one record at most, whose pairs lie beside their table: on a
 * distributed database, those of another base may be on another machine. Undefined for any other stage. Takes
 * the records that changed by field, and the fields that are to be computed whatever changed.
 */
export function sharedStageOf(
  { schema, fields }: Pick<Stage, 'schema' | 'fields'>,
  changed: ReadonlyMap<string, readonly string[]>,
  dirty: ReadonlyMap<string, unknown>,
): SharedStage | undefined {
  const through = fields.find(({ computation }) => computation?.through)?.computation?.through
  const link = schema.byKey.id.get(through?.linkFieldId ?? '')
  if (!isSingleLink(link) || link.link.end.baseId !== schema.baseId) return undefined
  const reached: ColumnField[] = []
  const sourceIds = new Set<string>()
  for (const field of fields) {
    if (dirty.has(field.field.id) || !followsFrom(field, link, fields, changed)) return undefined
    const read = field.computation?.through?.fieldIds ?? []
    const sources = read.flatMap((id) => changed.get(id) ?? [])
    for (const id of sources) sourceIds.add(id)
    if (sourceIds.size > sourcesMax) return undefined
    const isReached = sources.length > 0 || readsOneOf(reached, field, link)
    if (isReached && hasColumn(field)) reached.push(field)
  }
  return reached.length > 0 ? { link, reached, sourceIds: [...sourceIds] } : undefined
}

/** Pairs and cells may differ while a link is still being computed. */
function isSingleLink(field: SchemaField | undefined): field is SharedCells['link'] {
  if (!field?.link || !hasColumn(field) || field.field.isPending) return false
  return !hasMany(field.link.end.relationship)
}

function hasColumn(field: SchemaField): field is ColumnField {
  return field.column !== undefined
}

/** Whether nothing decides over its cells but the linked record, over whatever fields of the stage. */
function followsFrom(
  { computation }: SchemaField,
  link: SchemaField,
  fields: readonly SchemaField[],
  changed: ReadonlyMap<string, readonly string[]>,
): boolean {
  if (!computation || computation.reads.size > 0) return false
  const { through, ownFieldIds } = computation
  if (through && through.linkFieldId !== link.field.id) return false
  return ownFieldIds.every((id) => {
    if ((changed.get(id)?.length ?? 0) > 0) return false
    // Through a link it is read which record that is, and of its cell nothing else.
    return (through && id === link.field.id) || fields.some(({ field }) => field.id === id)
  })
}

function readsOneOf(
  reached: readonly SchemaField[],
  { computation }: SchemaField,
  link: SchemaField,
): boolean {
  const { through, ownFieldIds = [] } = computation ?? {}
  return reached.some(({ field: { id } }) => {
    const isFollowed = through !== undefined && id === link.field.id
    return !isFollowed && ownFieldIds.includes(id)
  })
}

/** Records that a link leads to one record, and the cells that all of them are to have in the reached fields. */
export interface SharedChange {
  readonly found: RecordsToChange
  readonly values: SharedCells['values']
  /** Steps that it took to work these out. */
  readonly steps: number
}

/**
 * Works the fields of the stage out for those records, so many at most, that a link leads to the record, and holds them. The
 * record is held already, since it changed. Undefined where that takes more steps than a write may.
 */
export async function findSharedChange(
  evaluator: Omit<Evaluator, 'budget'>,
  { schema, fields }: Pick<Stage, 'schema' | 'fields'>,
  { link, reached }: SharedStage,
  foreignId: string,
  most: number,
): Promise<SharedChange | undefined> {
  const cells: (Cell | null)[] = new Array(schema.columns.length).fill(null)
  cells[link.column.index] = { id: foreignId }
  const budget = new StepBudget(limits.stepsPerWrite)
  // Of the record nothing is looked at but its link.
  const row = { ...bareRecord('', 0, []), cells }
  const { fields: worked } = await evaluateRows({ ...evaluator, budget }, schema, fields, [row])
  if (worked.length < fields.length) return undefined
  const columns = reached.map(({ column }) => column)
  const values = columns.map(({ index }) => cells[index] ?? null)
  const shared = { link, foreignId, most, columns, values }
  const found = await evaluator.tx.records.findToShare(schema, shared)
  return { found, values, steps: budget.spent }
}
