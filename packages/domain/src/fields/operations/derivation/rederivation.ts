import { toCanonicalJson } from '../../../bases/canonical-form.ts'
import { dependencyOrder } from '../../../schemas/dependency-order.ts'
import { findCircle } from '../../../schemas/find-circle.ts'
import { type FieldPlace, readersOf } from '../../../schemas/readers-of.ts'
import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { TableSchema } from '../../../schemas/table-schema.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import { DerivationRefusal } from '../../computed/derivation.ts'
import { derive } from '../../derivation/derive.ts'
import type { Field } from '../../field.ts'
import { isComputed } from '../../field-values.ts'
import { foreignTableIdOf, linkCapabilityOf } from '../../link-of.ts'
import { replaceComputedColumns } from '../columns/replace-column.ts'
import type { FieldChange } from '../field-change.ts'
import { fieldSources } from './field-sources.ts'
import { FieldsInChange } from './fields-in-change.ts'
import type { SaidReader } from './reader-states.ts'

/** A table that fields of others read. */
export type ReadTable = Pick<TableSchema, 'tableId' | 'inboundTableIds'>

/** Fields by table. */
export type FieldsByTable = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Derives fields again after fields that they read were changed, restored or deleted: their types, options and results.
 * All of it is done in memory; the changed fields are stored at the end by `store`, table by table.
 */
export class Rederivation {
  readonly #context: TableContext
  readonly #graph: SchemaGraph
  readonly #fields: FieldsInChange
  /** Fields that are known to depend on no circle of fields; see findCircle. */
  readonly #free = new Set<string>()
  readonly #dirty = new Map<string, Set<string>>()
  readonly #said: ReadonlyMap<string, Partial<Field>>

  /** `readers` are fields whose earlier definition is to be derived instead of the present one, as when a change is undone. */
  constructor(context: TableContext, graph: SchemaGraph, readers: readonly SaidReader[] = []) {
    this.#context = context
    this.#graph = graph
    this.#fields = new FieldsInChange(graph)
    this.#said = new Map(readers.map(({ fieldId, said }) => [fieldId, said]))
  }

  /** The fields that came out different, as they were before and as they are now. */
  get changes(): readonly FieldChange[] {
    return [...this.#fields.changes()].flatMap(([, changes]) =>
      changes.filter(({ before, after }) => !isSame(before, after)),
    )
  }

  /**
   * Derives the fields that read the changed ones, directly or through other fields: each once, after the fields that it
   * reads. A field that can't be derived any more has an error until it can.
   */
  async deriveReaders(changed: Iterable<FieldPlace>): Promise<void> {
    const origins = [...changed]
    const reached = await findReached(this.#graph, origins)
    const order = inOrder(reached)
    const open = new Set(origins.flatMap(({ fieldId }) => reached.get(fieldId)?.readerIds ?? []))
    // One round is enough unless fields form a circle, in which case they get errors.
    while (open.size > 0) {
      for (const fieldId of order) {
        const one = reached.get(fieldId)
        if (!one || !open.delete(fieldId)) continue
        const isChanged = await this.#derive(one)
        if (isChanged) for (const readerId of one.readerIds) open.add(readerId)
        await this.#context.tx.giveWay()
      }
    }
  }

  /** Derives fields that were restored and may read other fields, and after them the fields that read the restored ones. */
  async deriveRestored(back: readonly FieldPlace[]): Promise<void> {
    const reached = await findReached(this.#graph, back)
    const fieldIds = new Set(back.map(({ fieldId }) => fieldId))
    for (const fieldId of inOrder(reached)) {
      const place = reached.get(fieldId)
      const field = place && (await this.#fields.findField(place.tableId, fieldId))
      if (!place || !field || !fieldIds.has(fieldId)) continue
      if (isComputed(field) || linkCapabilityOf(field)) await this.#derive(place)
      await this.#context.tx.giveWay()
    }
    await this.deriveReaders(back)
  }

  /** Derives all fields that link to a table or read it through a link, after the table was restored or deleted. */
  async deriveReadersOfTable({ tableId, inboundTableIds }: ReadTable): Promise<void> {
    const changed: FieldPlace[] = []
    for (const place of await this.#graph.load(inboundTableIds)) {
      for (const { field } of place.schema.fields) {
        if (foreignTableIdOf(field) !== tableId) continue
        const one = { tableId: place.table.id, fieldId: field.id }
        await this.#derive(one)
        await this.#context.tx.giveWay()
        changed.push(one)
      }
    }
    await this.deriveReaders(changed)
  }

  /**
   * Stores the changed fields: a few statements for each table, and one new schema. Returns the fields whose cells must be
   * computed again.
   */
  async store(): Promise<FieldsByTable> {
    for (const [tableId, changes] of this.#fields.changes()) {
      const real = changes.filter(({ before, after }) => !isSame(before, after))
      if (real.length > 0) await this.#storeIn(tableId, real)
    }
    return this.#dirty
  }

  async #storeIn(tableId: string, changes: readonly FieldChange[]): Promise<void> {
    const { tx, userId, now, ids } = this.#context
    const place = await this.#graph.get(tableId)
    for (const { before, after } of changes) {
      if (before.notNull && !after.notNull) await tx.fields.allowEmpty(place.table, before)
    }
    const computed = changes.filter(({ after }) => isComputed(after))
    await replaceComputedColumns(this.#context, place, computed)
    await tx.fields.updateAll(changes.map(({ after }) => after))
    await this.#graph.put(await tx.tables.changeSchema(tableId, ids.revision(), now))
    for (const { before } of changes) {
      const payload = { tableId, fieldId: before.id }
      tx.emit({ name: 'field.updated', time: now, userId, payload })
    }
  }

  /** Derives one field. Returns whether it changed. */
  async #derive({ tableId, fieldId }: FieldPlace): Promise<boolean> {
    const known = this.#dirty.get(tableId) ?? new Set()
    this.#dirty.set(tableId, known.add(fieldId))
    const before = await this.#fields.findField(tableId, fieldId)
    if (!before) return false
    const said = { ...before, ...this.#said.get(fieldId) }
    const found = await this.#toDerived(said)
    const derived = isSame(said, found) ? said : found
    // What is read may grow beyond what its table has room for.
    const after = (await this.#fields.hasRoom(before, derived)) ? derived : toBroken(before)
    if (isSame(before, after)) return false
    await this.#fields.change(before, after)
    return true
  }

  /** The field as derived from the fields that it reads. */
  async #toDerived(before: Field): Promise<Field> {
    const broken = toBroken(before)
    const own = await this.#fields.fieldsOf(before.tableId)
    if (!own) return broken
    const sources = fieldSources(own.fields, own.table.baseId, this.#fields.foreign)
    const derived = await derive(before, sources)
    if (derived instanceof DerivationRefusal) return broken
    const after = { ...before, ...withoutMisfit(derived), hasError: false }
    // Titles that come from another field now could make a link follow from itself.
    return (await findCircle(this.#fields.findField, after, this.#free)) ? broken : after
  }
}

/** A field that what changed can lead to, and those that read it. */
interface Reached extends FieldPlace {
  readonly readerIds: readonly string[]
}

/** The fields and all that read them, or read what reads them; by id. */
async function findReached(
  graph: SchemaGraph,
  origins: readonly FieldPlace[],
): Promise<ReadonlyMap<string, Reached>> {
  const reached = new Map<string, Reached>()
  const queue = [...origins]
  for (let next = queue.pop(); next; next = queue.pop()) {
    if (reached.has(next.fieldId)) continue
    const readers = await readersOf(graph, next)
    reached.set(next.fieldId, { ...next, readerIds: readers.map(({ field }) => field.id) })
    for (const { place, field } of readers) {
      queue.push({ tableId: place.table.id, fieldId: field.id })
    }
  }
  return reached
}

/** Each after those that it reads. */
function inOrder(reached: ReadonlyMap<string, Reached>): readonly string[] {
  const readersFirst = dependencyOrder(
    reached.keys(),
    (fieldId) => reached.get(fieldId)?.readerIds ?? [],
  )
  return readersFirst.toReversed()
}

/** Nobody can fill cells that have an error. */
function toBroken(before: Field): Field {
  return { ...before, hasError: true, notNull: false }
}

function withoutMisfit<T extends { readonly misfit?: unknown }>({ misfit: _, ...rest }: T) {
  return rest
}

/** Members of settings may stand in another sequence. */
function isSame(a: Field, b: Field): boolean {
  const members = ['type', 'options', 'lookupOptions', 'result', 'hasError'] as const
  return members.every(
    (member) =>
      JSON.stringify(a[member]) === JSON.stringify(b[member]) ||
      toCanonicalJson(a[member]) === toCanonicalJson(b[member]),
  )
}
