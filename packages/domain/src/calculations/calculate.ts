import { limits } from '../limits.ts'
import { WritesUnderWay } from '../records/background/writes-under-way.ts'
import { findRecordsToChange, scanRecords } from '../records/reading/scan-records.ts'
import { everyRecord } from '../records/stored/every-record.ts'
import { areFew, type RecordRoom, sizeWithin } from '../records/stored/size-within.ts'
import type { StoredRecord } from '../records/stored/stored-record.ts'
import type { SchemaGraph } from '../schemas/schema-graph.ts'
import type { SchemaField } from '../schemas/table-schema.ts'
import { appendAll } from '../structures/append-all.ts'
import type { TableContext } from '../tables/table-context.ts'
import { type Batch, calculateRecords, columnsRead, partsRead } from './calculate-records.ts'
import { StepBudget } from './evaluation/step-budget.ts'
import { GatheredChanges } from './gathered-changes.ts'
import { readsPending } from './pending/reads-pending.ts'
import { scheduleStages } from './pending/schedule-stages.ts'
import {
  findSharedChange,
  type SharedChange,
  type SharedStage,
  sharedStageOf,
} from './shared-stage.ts'
import type { Stage } from './stages/plan-stages.ts'

/** What a calculation begins with: records by field. */
export interface Changes {
  /** Records whose cell in the field was changed. */
  readonly changed: ReadonlyMap<string, Iterable<string>>
  /** Records whose cell in the field, a computed one, is to be computed again. */
  readonly dirty: ReadonlyMap<string, Iterable<string> | typeof everyRecord>
  /**
   * The field that is being changed: it is computed at once, as far as the budget goes, however many records it has.
   */
  readonly atOnce?: string | undefined
  /** What all of it may take; what a write may when this is left out. */
  readonly budget?: StepBudget
}

/** What a calculation has done. */
export interface Calculated {
  /** The records whose computed cells changed, by table. */
  readonly touched: ReadonlyMap<string, ReadonlySet<string>>
  /** The fields that were left to the background. */
  readonly pendingFieldIds: ReadonlySet<string>
}

/**
 * Computes what follows from changes, stage by stage, and in each stage only the records whose cells can have changed. Once
 * that would be more records, bytes or steps than one write may take, the rest is left to the background.
 */
export async function calculate(
  context: TableContext,
  graph: SchemaGraph,
  stages: readonly Stage[],
  { changed, dirty, atOnce, budget = new StepBudget(limits.stepsPerWrite) }: Changes,
): Promise<Calculated> {
  const pendingFieldIds = new Set<string>()
  const run = new CalculationRun(context, graph, { changed, dirty, budget })
  const isAtOnce = ({ fields }: Stage) => fields.every(({ field }) => field.id === atOnce)
  for (const [index, stage] of stages.entries()) {
    const isDone = isAtOnce(stage)
      ? (await run.computeAll(stage)) && !(await readsPending(graph, stage))
      : await run.computeAffected(stage)
    if (!isDone) {
      const left = stages.slice(index)
      for (const later of left.slice(1).filter(isAtOnce)) await run.computeAll(later)
      await scheduleStages(context, left)
      for (const { fields } of left) for (const { field } of fields) pendingFieldIds.add(field.id)
      break
    }
  }
  const { tx, now: time, userId } = context
  for (const [tableId, recordIds] of run.touched) {
    tx.emit({
      name: 'record.updated',
      time,
      userId,
      payload: { tableId, recordIds: [...recordIds] },
    })
  }
  return { touched: run.touched, pendingFieldIds }
}

/** One calculation on its way. */
class CalculationRun {
  readonly touched = new Map<string, Set<string>>()
  readonly #context: TableContext
  readonly #graph: SchemaGraph
  /** Ids of records by field. Lists, which cost far less than sets: an id that is there twice does no harm. */
  readonly #changed: Map<string, string[]>
  readonly #dirty: Changes['dirty']
  readonly #budget: StepBudget
  #room: RecordRoom = { records: limits.recordsCalculated, bytes: limits.bytesCalculated }

  constructor(
    context: TableContext,
    graph: SchemaGraph,
    {
      changed,
      dirty,
      budget,
    }: Pick<Changes, 'changed' | 'dirty'> & { readonly budget: StepBudget },
  ) {
    this.#context = context
    this.#graph = graph
    this.#changed = new Map([...changed].map(([fieldId, ids]) => [fieldId, [...ids]]))
    this.#dirty = dirty
    this.#budget = budget
  }

  /** Brings what changes can have affected up to date; false where that is left to the background. */
  async computeAffected(stage: Stage): Promise<boolean> {
    const shared = sharedStageOf(stage, this.#changed, this.#dirty)
    const isSharedDone = shared && (await this.#computeShared(stage, shared))
    if (isSharedDone !== undefined) return isSharedDone
    const recordIds = await this.#recordsOf(stage)
    if (recordIds === undefined) return false
    if (recordIds === everyRecord) return this.computeAll(stage)
    return this.#compute(stage, recordIds)
  }

  /**
   * The records whose cells in the stage's fields can have changed. Undefined when they are too many or too long, or when all
   * records are meant and the background is still computing the cells that they would be computed from.
   */
  async #recordsOf(stage: Stage): Promise<readonly string[] | typeof everyRecord | undefined> {
    const { schema, fields } = stage
    const isForAll = ({ field }: SchemaField) => this.#dirty.get(field.id) === everyRecord
    if (fields.some(isForAll)) {
      if (await readsPending(this.#graph, stage)) return undefined
      const size = await sizeWithin(this.#context.tx, schema, this.#room)
      return this.#takeRoom(size) ? everyRecord : undefined
    }
    const found = new Set<string>()
    for (const schemaField of fields) {
      for (const id of this.#dirty.get(schemaField.field.id) ?? []) found.add(id)
      for (const ownFieldId of schemaField.computation?.ownFieldIds ?? []) {
        for (const id of this.#changed.get(ownFieldId) ?? []) found.add(id)
      }
    }
    for (const id of await this.#recordsLinkedToChanged(stage)) found.add(id)
    // Their bytes are counted when they are read.
    const isRoom = this.#takeRoom({ records: found.size, bytes: 0 })
    return isRoom ? [...found] : undefined
  }

  #takeRoom(size: RecordRoom | undefined): boolean {
    if (!size) return false
    const records = this.#room.records - size.records
    const bytes = this.#room.bytes - size.bytes
    if (records < 0 || bytes < 0) return false
    this.#room = { records, bytes }
    return true
  }

  /** The records that read through a link what has changed at its other end; an id may be there twice. */
  async #recordsLinkedToChanged({ schema, fields }: Stage): Promise<readonly string[]> {
    const sourcesByLink = new Map<string, Set<string>>()
    for (const { computation } of fields) {
      const { through } = computation ?? {}
      for (const fieldId of through?.fieldIds ?? []) {
        const changed = this.#changed.get(fieldId)
        if (!through || !changed || changed.length === 0) continue
        const sources = sourcesByLink.get(through.linkFieldId) ?? new Set()
        for (const id of changed) sources.add(id)
        sourcesByLink.set(through.linkFieldId, sources)
      }
    }
    const linked: string[] = []
    for (const [linkFieldId, sources] of sourcesByLink) {
      const link = schema.byKey.id.get(linkFieldId)?.link
      if (!link) continue
      const most = this.#room.records + 1
      appendAll(linked, await this.#context.tx.links.recordsLinkedTo(link.end, [...sources], most))
    }
    return linked
  }

  /** Computes a stage for some records; answers whether there was room and budget for all of them. */
  async #compute(stage: Stage, recordIds: readonly string[]): Promise<boolean> {
    const { tx } = this.#context
    const mayBeTooLong = !areFew(recordIds.length, this.#room)
    const found = findRecordsToChange(
      tx,
      stage.schema,
      recordIds,
      columnsRead(stage),
      partsRead(stage),
    )
    const changes = new GatheredChanges(tx, stage.schema)
    for await (const { records } of found) {
      const isRoom = !mayBeTooLong || this.#takeRoom({ records: 0, bytes: bytesOf(records) })
      if (isRoom && (await this.#computeLocked(stage, records, { gathered: changes }))) continue
      await changes.store()
      return false
    }
    await changes.store()
    return true
  }

  /**
   * Computes a stage once for all records that show the same linked record. Having changed nothing, answers false where these
   * are more records than there is room for, and undefined where it takes more steps than are left.
   */
  async #computeShared(stage: Stage, shared: SharedStage): Promise<boolean | undefined> {
    const { tx, now } = this.#context
    const evaluator = { tx, graph: this.#graph, now }
    const all: SharedChange[] = []
    let records = 0
    let bytes = 0
    let steps = 0
    for (const id of shared.sourceIds) {
      const most = this.#room.records + 1 - records
      const change = await findSharedChange(evaluator, stage, shared, id, most)
      if (!change) return undefined
      all.push(change)
      records += change.found.lookedAt
      for (const one of change.found.bytes) bytes += one
      steps += change.steps * change.found.lookedAt
      if (records > this.#room.records) return false
    }
    if (!this.#budget.hasMoreThan(steps)) return undefined
    if (!this.#takeRoom({ records, bytes })) return false
    this.#budget.spend(steps)
    const changes = new GatheredChanges(tx, stage.schema)
    const columns = shared.reached.map(({ column }) => column)
    for (const { found, values, steps: length } of all) {
      await changes.addShared(columns, found, values, length)
      for (const { field } of shared.reached) this.#noteChanged(field.id, found.ids)
      this.#noteTouched(stage.table.id, found.ids)
    }
    await changes.store()
    return true
  }

  /** Computes a stage for every record; answers whether the budget was enough. */
  async computeAll(stage: Stage): Promise<boolean> {
    const { tx } = this.#context
    const scan = {
      columns: columnsRead(stage),
      parts: partsRead(stage),
      lock: 'update',
      withBytes: true,
      isAhead: tx.mayAskAhead,
    } as const
    const writes = tx.mayAskAhead ? new WritesUnderWay() : undefined
    try {
      for await (const { records } of scanRecords(tx, stage.schema, scan)) {
        if (!(await this.#computeLocked(stage, records, { writes }))) return false
      }
      return true
    } finally {
      // Where one fails, what is read after it fails without a reason.
      await writes?.settle()
    }
  }

  async #computeLocked(
    stage: Stage,
    locked: readonly StoredRecord[],
    storing: Pick<Batch, 'gathered' | 'writes'>,
  ): Promise<boolean> {
    const budget = this.#budget
    const { rowCount, fields, changed, touched } = await calculateRecords(
      this.#context,
      this.#graph,
      stage,
      { records: locked, isDirtyLink: (fieldId) => this.#dirty.has(fieldId), budget, ...storing },
    )
    for (const [fieldId, ids] of changed) this.#noteChanged(fieldId, ids)
    this.#noteTouched(stage.table.id, touched)
    return rowCount === locked.length && fields.length === stage.fields.length
  }

  #noteChanged(fieldId: string, recordIds: readonly string[]): void {
    const changed = this.#changed.get(fieldId) ?? []
    for (const id of recordIds) changed.push(id)
    this.#changed.set(fieldId, changed)
  }

  #noteTouched(tableId: string, recordIds: readonly string[]): void {
    if (recordIds.length === 0) return
    const touched = this.touched.get(tableId) ?? new Set()
    for (const id of recordIds) touched.add(id)
    this.touched.set(tableId, touched)
  }
}

/** What the records take as they are stored. */
function bytesOf(records: readonly StoredRecord[]): number {
  return records.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
}
