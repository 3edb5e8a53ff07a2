import { toCanonicalJson } from '../../../bases/canonical-form.ts'
import { invalidAt } from '../../../errors.ts'
import { findCircle } from '../../../schemas/find-circle.ts'
import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import { columnNameOf } from '../../column-name.ts'
import { DerivationRefusal, type Derived } from '../../computed/derivation.ts'
import { derive } from '../../derivation/derive.ts'
import type { Field } from '../../field.ts'
import { hasColumn } from '../../field-values.ts'
import { requireOptionsRoom } from '../definition/options-room.ts'
import { fieldSources, readableTable } from '../derivation/field-sources.ts'
import type { FieldReadContext } from '../field-context.ts'
import { requireFree } from '../require-free.ts'
import { requireSymmetricChange } from './change-symmetric.ts'
import type { KeptDefinition } from './kept-values/kept-definition.ts'

/**
 * The field as it was once: what it says of itself is what it said, the place of its links among that, as far as what it
 * reads still fits. One that had an error may have it again. Throws validation_error for what can't be by now.
 */
export async function toKeptField(
  context: FieldReadContext,
  graph: SchemaGraph,
  kept: KeptDefinition,
): Promise<Field> {
  const { schema, field } = context
  requireFree(context, 'name', kept.name)
  requireFree(context, 'dbFieldName', kept.dbFieldName)
  const said = await toSaid(context, kept)
  const after = (await toWorking(context, graph, said)) ?? said
  requireOptionsRoom(schema, field, after, 'options')
  await requireSymmetricChange(context, graph, { before: field, after }, 'kept')
  return after
}

/**
 * The field as it is by what it reads. Where it can't be computed, or would follow from itself: undefined for one that had an
 * error before, validation_error for any other.
 */
async function toWorking(
  context: FieldReadContext,
  graph: SchemaGraph,
  said: Field,
): Promise<Field | undefined> {
  const { base, schema } = context
  const own = new Map(schema.fields.map((one) => [one.field.id, one.field]))
  own.delete(said.id)
  const sources = fieldSources(own, base.id, readableTable(context, graph, base.spaceId))
  const derived = await derive(said, sources)
  if (derived instanceof DerivationRefusal) {
    if (said.hasError) return undefined
    throw derived.toError((...members) => members)
  }
  const after = withDerived(said, derived)
  const find = async (tableId: string, fieldId: string) =>
    (await graph.findField(tableId, fieldId))?.field
  const circle = await findCircle(find, after)
  if (!circle) return after
  if (said.hasError) return undefined
  const names = circle.map(({ name }) => `"${name}"`).join(' → ')
  throw invalidAt(['options'], `the field would depend on itself: ${names}`)
}

/** The field as it says, before what it reads is looked at. */
async function toSaid(
  { tx, table, field }: FieldReadContext,
  { broken, ...definition }: KeptDefinition,
): Promise<Field> {
  const { dbFieldName } = definition
  const { columnNames } = await tx.fields.takenColumnNames(table.id)
  const said = { ...field, ...definition, result: broken?.result ?? null }
  const columnName = hasColumn(said) ? columnNameOf(field, dbFieldName, columnNames) : null
  return { ...said, hasError: broken !== undefined, columnName }
}

function withDerived(said: Field, derived: Derived): Field {
  // Of what doesn't fit any more, such as titles of a field that is gone, it says what a link that stayed would.
  const { misfit: _, ...members } = derived
  const after = { ...said, result: null, ...members, hasError: false }
  // Members may come in another sequence, which must not look like a change.
  const isSame = toCanonicalJson(after.options) === toCanonicalJson(said.options)
  return isSame ? { ...after, options: said.options } : after
}
