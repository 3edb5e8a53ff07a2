import type { ModelScalar } from '../../values/model-value.ts'
import { modelChoices } from '../field-definition.ts'
import { expectLinks, hasManyLinks, type LinkWrites, writeLinks } from '../model-links.ts'
import {
  linkOf,
  type ModelContent,
  type ModelField,
  type ModelRecord,
  type ModelTable,
  newModelRecord,
} from '../workspace-model.ts'
import type { CellShape, RowShape, StepOf } from '../workspace-step.ts'
import { at, type PlanContext, type StepPlan, tableAt } from './step-plan.ts'

const texts = ['a', 'B', 'b, c', '12', '-1.5', '"q', '', null]
const numbers = [0, 1, -2, 2.5, 0.1, 3, 1000.005, null]
const values: Partial<Record<ModelContent['kind'], readonly (ModelScalar | null)[]>> = {
  text: texts,
  number: numbers,
  checkbox: [true, false, true, null],
  select: [...modelChoices, null],
}

/** The id of no record. */
const unknownId = 'recUnknown000000000'

/** Plans to create records, with some of their cells. */
export function planCreateRecords(
  context: PlanContext,
  step: StepOf<'create records'>,
): StepPlan | undefined {
  const table = tableAt(context, step.table)
  if (!table) return undefined
  const written = new WrittenRows(table)
  const rows = step.rows.map((row) => {
    const record = newModelRecord(table, '')
    return { record, fields: written.take(record, row) }
  })
  const input = {
    tableId: table.id,
    fieldKeyType: 'id' as const,
    records: rows.map(({ fields }) => ({ fields })),
  }
  return {
    expected: written.expected(),
    input,
    run: async () => {
      const { records } = await context.api.records.createRecords(input)
      for (const [index, { record }] of rows.entries()) {
        const id = records[index]?.id ?? ''
        table.records.push(Object.assign(record, { id }))
      }
      written.apply()
      return records
    },
  }
}

/** Plans to change some cells of some records. */
export function planUpdateRecords(
  context: PlanContext,
  step: StepOf<'update records'>,
): StepPlan | undefined {
  const table = tableAt(context, step.table)
  if (!table || table.records.length === 0) return undefined
  const written = new WrittenRows(table)
  const rows = new Map(
    step.changes.map(({ record, row }) => [at(table.records, record) as ModelRecord, row]),
  )
  const input = {
    tableId: table.id,
    fieldKeyType: 'id' as const,
    records: [...rows].map(([record, row]) => ({
      id: record.id,
      fields: written.take(record, row),
    })),
  }
  return {
    expected: written.expected(),
    input,
    run: async () => {
      const records = await context.api.records.updateRecords(input)
      written.apply()
      return records
    },
  }
}

/** Plans to delete records. */
export function planDeleteRecords(
  context: PlanContext,
  step: StepOf<'delete records'>,
): StepPlan | undefined {
  const table = tableAt(context, step.table)
  if (!table || table.records.length === 0) return undefined
  const records = new Set(step.records.map((place) => at(table.records, place) as ModelRecord))
  const input = { tableId: table.id, recordIds: [...records].map(({ id }) => id) }
  return {
    expected: 'done',
    input,
    run: async () => {
      await context.api.records.deleteRecords(input)
      context.model.removeRecords([...records])
      context.model.trash.push({ kind: 'records', table, records: [...records] })
    },
  }
}

/** The cells that one request writes: what they are sent as, and what becomes of them. */
class WrittenRows {
  readonly #table: ModelTable
  readonly #plain: (readonly [ModelRecord, ModelField, ModelScalar | null])[] = []
  readonly #links = new Map<ModelField, Map<ModelRecord, readonly ModelRecord[]>>()
  #hasUnknown = false

  constructor(table: ModelTable) {
    this.#table = table
  }

  /** Takes a row, and gives it as it is sent. */
  take(record: ModelRecord, row: RowShape): Record<string, unknown> {
    const sent: Record<string, unknown> = {}
    const writable = this.#table.fields.filter(isWritable)
    const links = writable.filter(({ content }) => content.kind === 'link')
    // Links stand there twice: on them most depends.
    const fields = [...links, ...writable]
    for (const cell of row) {
      const field = at(fields, cell.field)
      if (!field || field.id in sent) continue
      if (field.content.kind !== 'link') sent[field.id] = this.#takePlain(record, field, cell)
      // The order in which a request that writes both ends of a link links them is nobody's promise.
      else if (!field.content.symmetric || !this.#links.has(field.content.symmetric)) {
        sent[field.id] = this.#takeLinks(record, field, cell)
      }
    }
    return sent
  }

  #takePlain(record: ModelRecord, field: ModelField, { value }: CellShape): ModelScalar | null {
    const sent = at(values[field.content.kind] ?? [], value) ?? null
    this.#plain.push([record, field, sent === '' || sent === false ? null : sent])
    return sent
  }

  #takeLinks(record: ModelRecord, field: ModelField, { records, flaw }: CellShape): unknown {
    const { foreign, relationship } = linkOf(field)
    const isMany = hasManyLinks(relationship)
    const found = new Set(records.map((place) => at(foreign.records, place)))
    const targets = [...found].filter((target) => target !== undefined)
    const linked = isMany ? targets : targets.slice(0, 1)
    if (isMany && flaw === 'twice') linked.push(...linked.slice(0, 1))
    const writes = this.#links.get(field) ?? new Map<ModelRecord, readonly ModelRecord[]>()
    this.#links.set(field, writes.set(record, linked))
    const items = linked.map(({ id }) => ({ id }))
    if (flaw === 'unknown') {
      this.#hasUnknown = true
      items.unshift({ id: unknownId })
    }
    if (isMany) return items
    return items[0] ?? null
  }

  expected() {
    if (this.#hasUnknown) return 'validation_error'
    const expected = [...this.#links].map(([field, writes]) => expectLinks(field, writes))
    if (expected.includes('validation_error')) return 'validation_error'
    return expected.includes('either') ? 'either' : 'done'
  }

  apply(): void {
    for (const [record, field, value] of this.#plain) {
      if (value === null) record.cells.delete(field)
      else record.cells.set(field, value)
    }
    for (const [field, writes] of this.#links) writeLinks(field, writes as LinkWrites)
  }
}

function isWritable({ content }: ModelField): boolean {
  return content.kind === 'link' ? !content.foreign.isDeleted : content.kind in values
}
