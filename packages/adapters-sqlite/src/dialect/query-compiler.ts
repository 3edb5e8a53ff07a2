import { assert } from '@gateleg/domain/errors'
import { Place } from '@gateleg/sql/core/dialect/place'
import { type QueryId, type RootOperationNode, SqliteQueryCompiler } from 'kysely'

/**
 * The sign leaves every value as it is, text included, and keeps the planner from looking at it: SQLite would
 * plan a join or a limit anew for each new value, which takes ten times as long as running it.
 */
const boundValue = '+?'

/** Compiles queries to statements that SQLite plans only once, whatever values are bound to them. */
export class PlannedOnceCompiler extends SqliteQueryCompiler {
  #places = new Set<Place>()

  override compileQuery(node: RootOperationNode, queryId: QueryId) {
    this.#places = new Set()
    return super.compileQuery(node, queryId)
  }

  protected override appendValue(parameter: unknown): void {
    // SQLite counts them: the second one would take a value of its own.
    assert(!(parameter instanceof Place) || !this.#places.has(parameter), 'a place stands once')
    if (parameter instanceof Place) this.#places.add(parameter)
    super.appendValue(parameter)
  }

  protected override getCurrentParameterPlaceholder(): string {
    return boundValue
  }
}
