import { DomainError, invalidAt } from '../errors.ts'
import { DerivationRefusal, type ForeignTable } from '../fields/derivation/derivation.ts'
import { derive } from '../fields/derivation/derive.ts'
import type { Field } from '../fields/field.ts'
import { hasColumn, referencesOf, typeOf } from '../fields/field-values.ts'
import { fieldIdsReadThroughLink, foreignTableIdOf, linkAbilityOf } from '../fields/link-of.ts'
import { reversed } from '../fields/link-side.ts'
import { unreadLink } from '../fields/operations/build-fields.ts'
import { fieldSources, isTitle } from '../fields/operations/derivation/field-sources.ts'
import { checkDefinition, type FieldDefinition } from '../fields/operations/field-definition.ts'
import { requireOptionsRoomForNew } from '../fields/operations/options-room.ts'
import { FormulaError } from '../formulas/formula-error.ts'
import type { Ids } from '../ids.ts'
import { dependencyOrder } from '../schemas/dependency-order.ts'
import type { TakenColumnNames } from '../schemas/field-repository.ts'
import { findCircle } from '../schemas/find-circle.ts'
import type { Table } from '../tables/table.ts'
import type { Archived } from './archive-line.ts'

/** What is to be known to take fields of an archive for what they say. */
interface FieldTerms {
  readonly ids: Ids
  readonly taken: TakenColumnNames
  /** The tables of the archive. */
  readonly tableIds: ReadonlySet<string>
  /** The views of the archive. */
  readonly viewIds: ReadonlySet<string>
}

/**
 * The fields that an archive tells of, under the ids that they have there. What they follow from is worked out later: nothing
 * is believed of that. Throws validation_error for what no caller could have made.
 */
export async function toFields(
  archived: readonly Archived<'field'>[],
  terms: FieldTerms,
  giveWay: () => Promise<void>,
): Promise<readonly Field[]> {
  const orders = new Map<string, number>()
  const fields: Field[] = []
  for (const one of archived) {
    const order = orders.get(one.table) ?? 0
    orders.set(one.table, order + 1)
    fields.push(explaining(one, () => toField(one, order, terms)))
    await giveWay()
  }
  const byId = new Map(fields.map((field) => [field.id, field]))
  return fields.map((field) => withLinkEnds(field, byId, terms))
}

function toField(archived: Archived<'field'>, order: number, { ids, taken }: FieldTerms): Field {
  const { isLookup = false, isPrimary = false, name, dbFieldName, columnName } = archived
  const { formatting, showAs } = archived.options
  const shown = { ...(formatting ? { formatting } : {}), ...(showAs ? { showAs } : {}) }
  const { table, createdBy, createdTime, description, ...rest } = archived
  const definition = {
    ...rest,
    options: isLookup ? shown : archived.options,
    description,
  } as FieldDefinition
  const { type, options } = checkDefinition(definition, ids)
  const whole = isLookup
    ? typeOf({ type: archived.type }).options.safeParse(archived.options)
    : null
  const shape = {
    type: type.name,
    options: whole?.success ? archived.options : options,
    isLookup,
    result: null,
  }
  if (isPrimary && (isLookup || !type.canBePrimary)) throw wrong("can't be the primary field")
  if (dbFieldName.startsWith('__')) throw wrong('must have a column name without "__" before it')
  if (hasColumn(shape) !== (columnName !== null)) {
    throw wrong(hasColumn(shape) ? 'must have a physical column' : 'must have no physical column')
  }
  // Changes of a field keep what was there before in columns of such names.
  if (columnName?.startsWith('__'))
    throw wrong('must have a physical column without "__" before it')
  if (columnName !== null && taken.columnNames.has(columnName.toLowerCase())) {
    throw wrong(`must not have the physical column "${columnName}"`)
  }
  const { lookupOptions, aiConfig = null, unique = false, notNull = false } = archived
  const field: Field = {
    id: archived.id,
    tableId: table,
    name,
    ...shape,
    lookupOptions: lookupOptions ? { ...unreadLink, ...lookupOptions } : null,
    hasError: false,
    isPending: false,
    description,
    isPrimary,
    unique,
    notNull,
    aiConfig,
    dbFieldName,
    columnName,
    order,
    createdBy,
    createdTime,
    version: 1,
  }
  // Reads the formula.
  referencesOf(field)
  return field
}

/** The links of the archive lead from one table of it to another, and both ends of one know of each other. */
function withLinkEnds(
  field: Field,
  byId: ReadonlyMap<string, Field>,
  { tableIds, viewIds }: FieldTerms,
): Field {
  const ability = linkAbilityOf(field)
  const foreignId = foreignTableIdOf(field)
  if (foreignId !== undefined && !tableIds.has(foreignId)) {
    throw explained(field, 'reads a table that is not in the archive')
  }
  if (!ability) return field
  const { foreignTableId, symmetricFieldId } = ability.targetOf(field.options)
  const { baseId: _, filterByViewId, ...options } = field.options as Record<string, unknown>
  const isKnownView = typeof filterByViewId === 'string' && viewIds.has(filterByViewId)
  const kept = { ...field, options: { ...options, ...(isKnownView && { filterByViewId }) } }
  const other = symmetricFieldId === undefined ? undefined : byId.get(symmetricFieldId)
  if (!other) return { ...kept, options: ability.asOneWay(kept.options) }
  const back = linkAbilityOf(other)?.targetOf(other.options)
  const ends = [field, other].map((one) => linkAbilityOf(one)?.endOf(one.options))
  const [own, far] = ends
  const isPair =
    other.id !== field.id &&
    other.tableId === foreignTableId &&
    back?.foreignTableId === field.tableId &&
    back.symmetricFieldId === field.id &&
    own?.isMaker !== far?.isMaker &&
    far?.relationship === (own && reversed(own.relationship))
  if (!isPair)
    throw explained(field, 'and the field at the other end of its link must name each other')
  return kept
}

/**
 * The fields, each as what it follows from, after those that it reads. One that can't be worked out has an error, as it would
 * after what it reads was deleted.
 */
export async function derived(
  fields: readonly Field[],
  tables: ReadonlyMap<string, Table>,
  giveWay: () => Promise<void>,
): Promise<readonly Field[]> {
  const known = new Map(fields.map((field) => [field.id, field]))
  const byTable = new Map(
    [...Map.groupBy(fields, ({ tableId }) => tableId)].map(([tableId, own]) => [
      tableId,
      new Map(own.map((field) => [field.id, field])),
    ]),
  )
  const foreign = async (tableId: string): Promise<ForeignTable | undefined> => {
    const [table, own] = [tables.get(tableId), byTable.get(tableId)]
    const primary = [...(own?.values() ?? [])].find(({ isPrimary }) => isPrimary)
    if (!table || !own || !primary) return undefined
    const titles = [...own.values()].filter(isTitle).map(({ id }) => id)
    return { table, fields: own, titleFieldIds: new Set(titles), primary }
  }
  const find = async (tableId: string, fieldId: string) => byTable.get(tableId)?.get(fieldId)
  // Each formula is read here, which takes a while, so that nothing is read in the walks that follow.
  const sources = new Map<string, readonly string[]>()
  for (const field of fields) {
    const ids = [...referencesOf(field), ...fieldIdsReadThroughLink(field)]
    sources.set(
      field.id,
      ids.filter((id) => known.has(id)),
    )
    await giveWay()
  }
  const free = new Set<string>()
  for (const id of dependencyOrder(known.keys(), (id) => sources.get(id) ?? [])) {
    const before = known.get(id)
    const own = before && byTable.get(before.tableId)
    const table = before && tables.get(before.tableId)
    if (!before || !own || !table) continue
    const found = await derive(before, fieldSources(own, table.baseId, foreign))
    let after: Field = { ...before, hasError: true, notNull: false }
    if (!(found instanceof DerivationRefusal)) {
      const { misfit: _, ...members } = found
      const fitting = { ...before, ...members }
      if (!(await findCircle(find, fitting, free))) after = fitting
    }
    own.set(id, after)
    await giveWay()
  }
  const all = fields.map((field) => byTable.get(field.tableId)?.get(field.id) ?? field)
  for (const own of Map.groupBy(all, ({ tableId }) => tableId).values()) {
    requireOptionsRoomForNew([], own, () => ['content'])
  }
  return all
}

/** Says of what is refused which field it is about. */
function explaining<T>(field: Archived<'field'>, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof DomainError || error instanceof FormulaError) {
      throw explained(field, error.message)
    }
    throw error
  }
}

function explained({ id, name }: { readonly id: string; readonly name: string }, message: string) {
  return invalidAt(['content'], `the field "${name}" (${id}) ${message}`)
}

function wrong(message: string): DomainError {
  return new DomainError('validation_error', message)
}
