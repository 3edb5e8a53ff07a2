import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
} from 'kysely'
import type { Database } from '../metadata/database-schema.ts'
import type { SqlDialect } from './dialect/sql-dialect.ts'

/** Builds queries for a dialect. Only connections run them, so that only connections know transactions. */
export type QueryBuilder = Kysely<Database>

const builders = new WeakMap<SqlDialect, QueryBuilder>()

/** The query builder of the dialect; one per dialect object. */
export function queryBuilderOf(dialect: SqlDialect): QueryBuilder {
  let builder = builders.get(dialect)
  if (!builder) {
    builder = new Kysely<Database>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => dialect.createQueryCompiler(),
      },
    })
    if (dialect.metadataSchema) builder = builder.withSchema(dialect.metadataSchema)
    builders.set(dialect, builder)
  }
  return builder
}

/** Stands for a value in a query that is compiled once and run with many values. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** A query compiled once per dialect; its placeholders are filled at each run. */
export interface PreparedQuery<Values, Row> {
  compileFor(dialect: SqlDialect): CompiledTemplate
  /** Never set; they carry the types. */
  readonly values?: Values
  readonly row?: Row
}

/** A statement whose text is written, with room for its values. */
interface CompiledTemplate {
  readonly sql: string
  /** The values to bind, in the order of their places; those of placeholders are taken by name. */
  fill(values: Readonly<Record<string, unknown>>): unknown[]
}

/**
 * A query whose text never changes: building and compiling one costs ten times its run on SQLite.
 * `value('name')` marks the place of a value, typed as the value itself.
 */
export function prepared<Values extends object, Row>(
  build: (
    db: QueryBuilder,
    value: <Name extends keyof Values & string>(name: Name) => Values[Name],
    dialect: SqlDialect,
  ) => Compilable<Row>,
): PreparedQuery<Values, Row> {
  const templates = new WeakMap<SqlDialect, CompiledTemplate>()
  return {
    compileFor(dialect) {
      let template = templates.get(dialect)
      if (!template) {
        const marker = (name: string) => new Placeholder(name) as never
        template = toTemplate(build(queryBuilderOf(dialect), marker, dialect).compile())
        templates.set(dialect, template)
      }
      return template
    },
  }
}

function toTemplate({ sql, parameters }: CompiledQuery): CompiledTemplate {
  return {
    sql,
    fill: (values) =>
      parameters.map((parameter) =>
        parameter instanceof Placeholder ? values[parameter.name] : parameter,
      ),
  }
}
