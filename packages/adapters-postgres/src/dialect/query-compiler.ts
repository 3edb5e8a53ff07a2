import { Place } from '@gateleg/sql/core/place'
import { PostgresQueryCompiler, type QueryId, type RootOperationNode } from 'kysely'

/** Writes statements in which a place that stands twice has one number: its value is sent once. */
export class NumberedPlacesCompiler extends PostgresQueryCompiler {
  #numbers = new Map<Place, number>()

  override compileQuery(node: RootOperationNode, queryId: QueryId) {
    this.#numbers = new Map()
    return super.compileQuery(node, queryId)
  }

  protected override appendValue(parameter: unknown): void {
    const known = parameter instanceof Place ? this.#numbers.get(parameter) : undefined
    if (known !== undefined) {
      this.append(`$${known}`)
      return
    }
    super.appendValue(parameter)
    if (parameter instanceof Place) this.#numbers.set(parameter, this.numParameters)
  }
}
