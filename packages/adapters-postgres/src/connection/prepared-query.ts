import pg from 'pg'
import { toParameter } from './to-parameter.ts'
import { typeParsers } from './type-parsers.ts'

/** What a statement answers: the names of its columns, and how their texts are read. */
interface RowShape {
  readonly names: readonly string[]
  readonly readers: readonly ((text: string) => unknown)[]
}

/** The statements that a connection has prepared, by name, and what is known of their rows. */
export type PreparedShapes = Map<string, RowShape>

/** How rows are answered. */
export type RowForm = 'objects' | 'arrays'

/** The part of the driver's connection that a query writes to. */
interface Wire {
  readonly parsedStatements: Readonly<Record<string, string | undefined>>
  readonly submittedNamedStatements: Record<string, string | undefined>
  parse(message: object): void
  bind(message: object): void
  describe(message: object): void
  execute(message: null): void
  sync(): void
}

export interface PreparedQueryOptions {
  /** The name under which the statement is prepared; '' for one that is used once. */
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  readonly form: RowForm
  readonly shapes: PreparedShapes
  /** Takes each row as it comes; rows are collected when it isn't given. */
  readonly onRow?: (row: readonly unknown[]) => void
}

/**
 * One execution of a prepared statement, as the driver takes it for a query of its own. The driver's own asks the server each
 * time what the rows are like, and makes an event of each row; this one asks once for each statement and connection, and does
 * with a third of the time.
 */
export class PreparedQuery implements pg.Submittable {
  /** What the driver knows it by. */
  readonly name: string
  readonly text: string
  /** The rows, unless there is somebody who takes them as they come. */
  readonly found: unknown[] = []
  /** What was done, as PostgreSQL says it: `COMMIT`. */
  command = ''
  /** How many rows were answered or changed. */
  rowCount = 0
  /** The bytes of the rows, as the server sent them. */
  bytes = 0
  /** The driver may wrap it, for its time limit. */
  callback: (error?: Error | null) => void = () => {}
  readonly #options: PreparedQueryOptions
  #shape: RowShape | undefined
  #failure: Error | undefined

  constructor(options: PreparedQueryOptions) {
    this.#options = options
    this.name = options.name
    this.text = options.text
  }

  submit(connection: unknown): void {
    const wire = connection as Wire
    const { name, text } = this
    const { shapes, values } = this.#options
    const parameters = values.map(toParameter)
    const isKnown = wire.parsedStatements[name] ?? wire.submittedNamedStatements[name]
    if (name === '' || isKnown === undefined) {
      wire.parse({ name, text })
      if (name !== '') wire.submittedNamedStatements[name] = text
    }
    wire.bind({ statement: name, values: parameters })
    this.#shape = shapes.get(name)
    if (!this.#shape) wire.describe(portal)
    wire.execute(null)
    wire.sync()
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    this.#shape = {
      names: fields.map((field) => field.name),
      readers: fields.map(({ dataTypeID }) => typeParsers.getTypeParser(dataTypeID, 'text')),
    }
  }

  handleDataRow({ fields, length }: { fields: (string | null)[]; length: number }): void {
    this.bytes += length
    if (this.#failure) return
    try {
      this.#take(fields)
    } catch (error) {
      this.#failure = error as Error
    }
  }

  #take(texts: (string | null)[]): void {
    const { names, readers } = this.#shape as RowShape
    const { form, onRow } = this.#options
    const row: unknown[] = texts
    for (let i = 0; i < row.length; i++) {
      const text = texts[i]
      if (text != null) row[i] = readers[i]?.(text)
    }
    if (onRow) onRow(row)
    else if (form === 'arrays') this.found.push(row)
    else {
      const object: Record<string, unknown> = {}
      for (let i = 0; i < row.length; i++) object[names[i] as string] = row[i]
      this.found.push(object)
    }
  }

  /** The text begins with what was done, and may end with the number of rows: `INSERT 0 3`, `COMMIT`. */
  handleCommandComplete({ text }: { text: string }): void {
    const end = text.indexOf(' ')
    // What answers no rows isn't described as anything else either.
    this.#shape ??= noRows
    if (this.name !== '') this.#options.shapes.set(this.name, this.#shape)
    this.command = end === -1 ? text : text.slice(0, end)
    this.rowCount = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleError(error: Error): void {
    this.callback(this.#failure ?? error)
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure ?? null)
  }
}

// Where queries are sent without waiting for answers, the driver takes its own class alone: others may keep a portal open.
// This one does not, and has no use for what the constructor of that class makes.
Object.setPrototypeOf(PreparedQuery.prototype, pg.Query.prototype)

const noRows: RowShape = { names: [], readers: [] }

const portal = { type: 'P', name: '' }
