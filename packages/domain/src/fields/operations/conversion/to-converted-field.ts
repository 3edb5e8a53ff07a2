import { invalidAt } from '../../../errors.ts'
import { findCircle } from '../../../schemas/find-circle.ts'
import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import { type AiConfig, fitsFieldType } from '../../ai-config.ts'
import type { SelectOptions } from '../../cells/choice.ts'
import { columnNameOf } from '../../column-name.ts'
import type { Field } from '../../field.ts'
import { hasColumn, typeOf } from '../../field-values.ts'
import { linkCapabilityOf } from '../../link-of.ts'
import { namedFieldIds, requireReferences } from '../building/require-references.ts'
import { onlyDefinition, unreadLink } from '../definition/build-fields.ts'
import { checkDefinition, type FieldDefinition } from '../definition/field-definition.ts'
import { requireOptionsRoom } from '../definition/options-room.ts'
import { deriveNewFields } from '../derivation/derive-new-fields.ts'
import { readableTable } from '../derivation/field-sources.ts'
import type { FieldReadContext } from '../field-context.ts'
import { requireFree } from '../require-free.ts'
import { requireSymmetricChange } from './change-symmetric.ts'
import { keepChoiceIds } from './choices/choice-edits.ts'
import { cellChangeOf } from './convert-cells.ts'

/**
 * The field as the definition wants it. What the definition leaves out stays, as far as it fits the type.
 * Throws validation_error for what can't be, a field that would follow from itself among it.
 */
export async function toConvertedField(
  context: FieldReadContext,
  graph: SchemaGraph,
  definition: FieldDefinition,
): Promise<Field> {
  const { base, schema, field } = context
  requireFree(context, 'name', definition.name ?? field.name)
  requireFree(context, 'dbFieldName', definition.dbFieldName ?? field.dbFieldName)
  const wanted = await toWantedField(context, definition)
  const existing = schema.fields.flatMap((one) => (one.field.id === field.id ? [] : [one.field]))
  const foreign = readableTable(context, graph, base.spaceId)
  const place = { baseId: base.id, existing, foreign, pathOf: onlyDefinition, stored: field }
  const [after] = await deriveNewFields([wanted], place)
  if (!after) throw new Error('Assertion failed: one field is derived as one')
  requireOptionsRoom(schema, field, after, 'options')
  const find = async (tableId: string, fieldId: string) =>
    (await graph.findField(tableId, fieldId))?.field
  const circle = await findCircle(find, after)
  if (circle) {
    const names = circle.map(({ name }) => `"${name}"`).join(' → ')
    throw invalidAt(['options'], `the field would depend on itself: ${names}`)
  }
  await requireSymmetricChange(context, graph, { before: field, after })
  // What the field names already stays, though it may have been deleted by now.
  const knownIds = [...existing.map(({ id }) => id), ...namedFieldIds(field)]
  const known = { knownIds, pathOf: onlyDefinition, stored: field }
  await requireReferences(context, base, [after], known)
  return after
}

/** The field as the definition says, before what it reads is looked at. */
async function toWantedField(context: FieldReadContext, sent: FieldDefinition): Promise<Field> {
  const { tx, table, field, ids } = context
  const definition = withStoredOptions(field, sent)
  const { type, options } = checkDefinition(definition, ids)
  const { isLookup = false, lookupOptions } = definition
  if (field.isPrimary && (isLookup || !type.canBePrimary)) {
    const what = isLookup ? 'a lookup' : `of type "${type.name}"`
    throw invalidAt(['type'], `the primary field can't be ${what}`)
  }
  const { unique = field.unique && type.canBeUnique && !isLookup } = definition
  const { notNull = field.notNull && type.canBeNotNull && !isLookup } = definition
  const { aiConfig = field.aiConfig } = definition
  const shape = { type: type.name, options, isLookup, result: null }
  const { dbFieldName = field.dbFieldName } = definition
  const { columnNames } = await tx.fields.takenColumnNames(table.id)
  const wanted: Field = {
    ...field,
    ...shape,
    name: definition.name ?? field.name,
    description: definition.description === undefined ? field.description : definition.description,
    lookupOptions: lookupOptions ? { ...unreadLink, ...lookupOptions } : null,
    hasError: false,
    unique,
    notNull,
    aiConfig: aiConfig && fitsFieldType(aiConfig as AiConfig, type.name) ? aiConfig : null,
    dbFieldName,
    columnName: hasColumn(shape) ? columnNameOf(field, dbFieldName, columnNames) : null,
  }
  return { ...wanted, options: withLinkPlace(context, wanted) }
}

/**
 * Options that are left out stay when the type does, choices also in the other kind of select and where other
 * options are given; choices are told by their names where they have no ids.
 */
function withStoredOptions(field: Field, sent: FieldDefinition): FieldDefinition {
  const isSameKind = sent.type === field.type && (sent.isLookup ?? false) === field.isLookup
  const stored = field.options as Record<string, unknown>
  if (sent.options === undefined && isSameKind && !field.isLookup) {
    return { ...sent, options: stored }
  }
  const type = typeOf(sent)
  if (!type.choices || !typeOf(field).choices || sent.isLookup) return sent
  if (sent.options === undefined) {
    const { choices, preventAutoNewOptions } = field.options as SelectOptions
    const forbids = preventAutoNewOptions === undefined ? {} : { preventAutoNewOptions }
    return { ...sent, options: { choices, ...forbids } }
  }
  const storedChoices = (stored as Partial<SelectOptions>).choices
  const { choices = storedChoices } = sent.options
  const complete = { ...sent, options: { ...sent.options, choices } }
  const parsed = type.options.safeParse(complete.options)
  if (!parsed.success) return complete
  const options = keepChoiceIds(field.options as SelectOptions, parsed.data as SelectOptions)
  return { ...sent, options: { ...options } }
}

/** A link has its pairs under its own id; its field at the other end stays when it still leads there. */
function withLinkPlace({ table, field, ids }: FieldReadContext, wanted: Field): unknown {
  const capability = linkCapabilityOf(wanted)
  if (!capability) return wanted.options
  if (cellChangeOf(field, wanted) === 'stay') {
    return capability.withPlaceOf(wanted.options, field.options)
  }
  const isOneWay = capability.isOneWay(wanted.options)
  const before = linkCapabilityOf(field)?.targetOf(field.options)
  const { foreignTableId } = capability.targetOf(wanted.options)
  const kept = before?.foreignTableId === foreignTableId ? before.symmetricFieldId : undefined
  const symmetricFieldId = isOneWay ? undefined : (kept ?? ids.next('field'))
  const owner = { baseId: table.baseId, fieldId: wanted.id, symmetricFieldId }
  return capability.asOwner(wanted.options, owner)
}
