/** The values that the model knows: texts and numbers. */
export type ModelValue = string | number

/** A change of a table. Fields and records are named by their place in the list. */
export type TableStep =
  | { readonly kind: 'add field'; readonly field: NewModelField }
  | { readonly kind: 'rename field'; readonly field: number; readonly name: string }
  | { readonly kind: 'delete fields'; readonly fields: readonly number[] }
  | { readonly kind: 'create'; readonly rows: readonly ModelRow[] }
  | {
      readonly kind: 'update'
      readonly changes: readonly { readonly record: number; readonly row: ModelRow }[]
    }
  | { readonly kind: 'delete'; readonly records: readonly number[] }

/** Values by the place of their field. */
export type ModelRow = readonly (readonly [field: number, value: ModelValue | null])[]

export interface NewModelField {
  readonly name: string
  readonly type: 'text' | 'number'
  readonly unique: boolean
  readonly notNull: boolean
  readonly defaultValue: ModelValue | undefined
}

interface ModelField extends Omit<NewModelField, 'name'> {
  name: string
}

interface ModelRecord {
  modified: string
  readonly cells: Map<ModelField, ModelValue>
}

export type Outcome = 'done' | 'validation_error' | 'not_found' | 'restricted_resource'

/** What a table is, in plain lists: the oracle of the tests that change one at random. */
export class TableModel {
  fields: ModelField[] = [
    { name: 'Key', type: 'text', unique: false, notNull: false, defaultValue: undefined },
  ]
  records: ModelRecord[] = []

  /** Makes the change, or says why it is refused and changes nothing. */
  apply(step: TableStep, now: string): Outcome {
    switch (step.kind) {
      case 'add field':
        return this.#addField(step.field)
      case 'rename field': {
        const field = this.fields[step.field]
        if (!field) return 'not_found'
        if (this.fields.some((other) => other !== field && other.name === step.name)) {
          return 'validation_error'
        }
        field.name = step.name
        return 'done'
      }
      case 'delete fields': {
        if (step.fields.some((place) => !this.fields[place])) return 'not_found'
        if (step.fields.includes(0)) return 'restricted_resource'
        this.fields = this.fields.filter((_, place) => !step.fields.includes(place))
        return 'done'
      }
      case 'create':
        return this.#write(
          step.rows.map((row) => ({ row, record: { modified: now, cells: new Map() } })),
          now,
        )
      case 'update': {
        const changes = step.changes.map(({ record, row }) => ({
          row,
          record: this.records[record],
        }))
        const known = changes.flatMap(({ row, record }) => (record ? [{ row, record }] : []))
        return known.length < changes.length ? 'not_found' : this.#write(known, now)
      }
      case 'delete': {
        if (step.records.some((place) => !this.records[place])) return 'not_found'
        this.records = this.records.filter((_, place) => !step.records.includes(place))
        return 'done'
      }
    }
  }

  /** The records as a list answers them: what their cells hold by name, and when they changed last. */
  list(): { readonly fields: object; readonly modified: string }[] {
    return this.records.map(({ cells, modified }) => ({
      fields: Object.fromEntries(
        this.fields.flatMap((field) => {
          const value = cells.get(field)
          return value === undefined ? [] : [[field.name, value]]
        }),
      ),
      modified,
    }))
  }

  #addField(field: NewModelField): Outcome {
    const { defaultValue, notNull, unique } = field
    const count = this.records.length
    if (notNull && count > 0 && (defaultValue === undefined || (unique && count > 1))) {
      return 'validation_error'
    }
    const stem = field.name
    let name = stem
    for (let number = 2; this.fields.some((other) => other.name === name); number++) {
      name = `${stem} ${number}`
    }
    const added = { ...field, name }
    this.fields.push(added)
    if (notNull && defaultValue !== undefined) {
      for (const { cells } of this.records) cells.set(added, defaultValue)
    }
    return 'done'
  }

  #write(rows: readonly { row: ModelRow; record: ModelRecord }[], now: string): Outcome {
    if (rows.some(({ row }) => row.some(([place]) => !this.fields[place]))) return 'not_found'
    const after = rows.map(({ row, record }) => {
      const isNew = !this.records.includes(record)
      const sent = new Map(
        row.map(([place, value]) => {
          const field = this.fields[place]
          return [field, field?.type === 'text' && value === '' ? null : value]
        }),
      )
      const cells = new Map(record.cells)
      for (const field of this.fields) {
        const value = sent.has(field)
          ? sent.get(field)
          : isNew
            ? field.defaultValue
            : cells.get(field)
        if (value === null || value === undefined) cells.delete(field)
        else cells.set(field, value)
      }
      return { record, cells, isNew }
    })
    if (!this.#isAllowed(after)) return 'validation_error'
    for (const { record, cells, isNew } of after) {
      const isChanged = this.fields.some((field) => cells.get(field) !== record.cells.get(field))
      if (isNew) this.records.push(record)
      if (isNew || isChanged) record.modified = now
      for (const field of this.fields) {
        const value = cells.get(field)
        if (value === undefined) record.cells.delete(field)
        else record.cells.set(field, value)
      }
    }
    return 'done'
  }

  #isAllowed(after: readonly { record: ModelRecord; cells: Map<ModelField, ModelValue> }[]) {
    return this.fields.every((field) => {
      const type = field.type === 'text' ? 'string' : 'number'
      const values = after.map(({ cells }) => cells.get(field))
      if (values.some((value) => value === undefined && field.notNull)) return false
      if (values.some((value) => value !== undefined && typeof value !== type)) return false
      if (!field.unique) return true
      // What counts is the outcome: records of one request may hand their values on.
      const others = this.records.filter((other) => !after.some(({ record }) => record === other))
      const held = [...others.map(({ cells }) => cells.get(field)), ...values]
      const filled = held.filter((value) => value !== undefined)
      return new Set(filled).size === filled.length
    })
  }
}
