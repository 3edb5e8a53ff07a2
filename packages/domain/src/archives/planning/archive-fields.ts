import { toCanonicalJson } from '../../bases/canonical-form.ts'
import { DomainError, invalidAt } from '../../errors.ts'
import { DerivationRefusal, type ForeignTable } from '../../fields/computed/derivation.ts'
import { derive } from '../../fields/derivation/derive.ts'
import type { Field } from '../../fields/field.ts'
import { hasColumn, isComputed, referencesOf, typeOf } from '../../fields/field-values.ts'
import { reversed } from '../../fields/link-end.ts'
import {
  fieldIdsReadThroughLink,
  foreignTableIdOf,
  linkCapabilityOf,
} from '../../fields/link-of.ts'
import { unreadLink } from '../../fields/operations/definition/build-fields.ts'
import {
  checkDefinition,
  type FieldDefinition,
} from '../../fields/operations/definition/field-definition.ts'
import { requireOptionsRoomForNew } from '../../fields/operations/definition/options-room.ts'
import { fieldSources, isTitle } from '../../fields/operations/derivation/field-sources.ts'
import { FormulaError } from '../../formulas/formula-error.ts'
import type { Ids } from '../../ids.ts'
import { dependencyOrder } from '../../schemas/dependency-order.ts'
import type { TakenColumnNames } from '../../schemas/field-repository.ts'
import { findCircle } from '../../schemas/find-circle.ts'
import type { Table } from '../../tables/table.ts'
import type { Archived } from '../format/archive-line.ts'
import { toSaidResult } from '../format/said-result.ts'

/** What is to be known to take fields of an archive for what they say. */
interface FieldTerms {
  readonly ids: Ids
  readonly taken: TakenColumnNames
  /** The tables of the archive. */
  readonly tableIds: ReadonlySet<string>
  /** The views of the archive. */
  readonly viewIds: ReadonlySet<string>
  /** The entries of the trash in which fields and tables of the archive lie, by their ids. */
  readonly entryIds: ReadonlyMap<string, string>
}

/**
 * The fields that an archive tells of, under the ids that they have there. What they follow from is computed later: nothing
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
  const {
    table,
    createdBy,
    createdTime,
    description,
    deletion: _,
    result: said,
    ...rest
  } = archived
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
  }
  const result = toSaidResult(shape, said)
  if (result === undefined) throw wrong('has no values as its result says')
  if (isPrimary && (isLookup || !type.canBePrimary)) throw wrong("can't be the primary field")
  if (dbFieldName.startsWith('__')) throw wrong('must have a column name without "__" before it')
  const isInColumn = hasColumn({ ...shape, result })
  if (isInColumn !== (columnName !== null)) {
    throw wrong(isInColumn ? 'must have a physical column' : 'must have no physical column')
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
    result,
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
  { tableIds, viewIds, entryIds }: FieldTerms,
): Field {
  const capability = linkCapabilityOf(field)
  const foreignId = foreignTableIdOf(field)
  if (foreignId !== undefined && !tableIds.has(foreignId)) {
    throw explained(field, 'reads a table that is not in the archive')
  }
  if (!capability) return field
  const { foreignTableId, symmetricFieldId } = capability.targetOf(field.options)
  const { baseId: _, filterByViewId, ...options } = field.options as Record<string, unknown>
  const isKnownView = typeof filterByViewId === 'string' && viewIds.has(filterByViewId)
  const kept = { ...field, options: { ...options, ...(isKnownView && { filterByViewId }) } }
  const other = symmetricFieldId === undefined ? undefined : byId.get(symmetricFieldId)
  if (!other) return { ...kept, options: capability.asOneWay(kept.options) }
  const back = linkCapabilityOf(other)?.targetOf(other.options)
  const ends = [field, other].map((one) => linkCapabilityOf(one)?.endOf(one.options))
  const [own, far] = ends
  const isPair =
    other.id !== field.id &&
    other.tableId === foreignTableId &&
    back?.foreignTableId === field.tableId &&
    back.symmetricFieldId === field.id &&
    own?.isOwner !== far?.isOwner &&
    far?.relationship === (own && reversed(own.relationship))
  if (!isPair)
    throw explained(field, 'and the field at the other end of its link must name each other')
  const [ownEntry, farEntry] = [entryIds.get(field.id), entryIds.get(other.id)]
  // One of them may have been deleted while the table of the other lay in the trash: it follows when that comes back.
  const areApart = entryIds.has(field.tableId) || entryIds.has(other.tableId)
  const isOneLiving = ownEntry === undefined || farEntry === undefined
  if (ownEntry !== farEntry && !(areApart && isOneLiving))
    throw explained(field, 'must be deleted along with the field at the other end of its link')
  return kept
}

/** Fields by id, by table: those that others see. */
type FieldsByTable = Map<string, Map<string, Field>>

/** Work that takes a while, and what it is about. */
interface Deriving {
  readonly tables: ReadonlyMap<string, Table>
  readonly byTable: FieldsByTable
  readonly giveWay: () => Promise<void>
}

/**
 * The fields, each as what it follows from, after those that it reads. One that can't be computed has an error, as it would
 * after what it reads was deleted. Those that lie in the trash are read by none, and computed when they come back.
 */
export async function derived(
  all: readonly Field[],
  tables: ReadonlyMap<string, Table>,
  {
    deletedIds,
    giveWay,
  }: {
    /** The tables and fields that lie in the trash, by their ids. */
    readonly deletedIds: { has(id: string): boolean }
    readonly giveWay: () => Promise<void>
  },
): Promise<readonly Field[]> {
  const fields = all.filter(({ id }) => !deletedIds.has(id))
  const byTable: FieldsByTable = new Map()
  // Tables in the trash are seen by one another alone, until one of them is back and sees what there is.
  for (const areDeleted of [false, true]) {
    const some = fields.filter(({ tableId }) => deletedIds.has(tableId) === areDeleted)
    for (const [tableId, own] of Map.groupBy(some, (field) => field.tableId)) {
      byTable.set(tableId, new Map(own.map((field) => [field.id, field])))
    }
    await deriveSome(some, { tables, byTable, giveWay }, areDeleted ? asTableDeleted : asLiving)
  }
  for (const own of byTable.values()) {
    requireOptionsRoomForNew([], [...own.values()], () => ['content'])
  }
  return all.map((field) => byTable.get(field.tableId)?.get(field.id) ?? asDeleted(field))
}

/** Replaces the fields by what they are, given what they said and what they follow from; undefined where that can't be. */
async function deriveSome(
  fields: readonly Field[],
  { tables, byTable, giveWay }: Deriving,
  become: (said: Field, derived: Field | undefined) => Field,
): Promise<void> {
  const known = new Map(fields.map((field) => [field.id, field]))
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
    let after: Field | undefined
    if (!(found instanceof DerivationRefusal)) {
      const { misfit: _, ...members } = found
      const fitting = { ...before, ...members }
      if (!(await findCircle(find, fitting, free))) after = fitting
    }
    own.set(id, become(before, after))
    await giveWay()
  }
}

function asLiving(said: Field, derived: Field | undefined): Field {
  return derived ?? { ...said, hasError: true, notNull: false }
}

/**
 * A field of a table in the trash says what it said when the table was deleted, whatever became of what it reads: it learns of
 * that when the table comes back.
 */
function asTableDeleted(said: Field, derived: Field | undefined): Field {
  if (!derived) return { ...said, hasError: true }
  if (linkCapabilityOf(said)) return said
  const members = ['type', 'options', 'lookupOptions'] as const
  const isAsSaid = members.every(
    (one) => toCanonicalJson(said[one]) === toCanonicalJson(derived[one]),
  )
  return isAsSaid ? derived : { ...said, hasError: true }
}

/** What follows from others has no place in a trash: it is as if that were gone, until it comes back. */
function asDeleted(field: Field): Field {
  return isComputed(field) ? { ...field, hasError: true } : field
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
