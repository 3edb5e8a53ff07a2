import { Place } from '@gateleg/sql/core/dialect/place'
import { ZoneList } from '@gateleg/sql/records/expressions/changes-of-zone'
import { PostgresQueryCompiler, type QueryId, type RootOperationNode } from 'kysely'

/** Writes statements in which a place, or the same list, that stands twice has one number: its value is sent once. */
export class NumberedPlacesCompiler extends PostgresQueryCompiler {
  #numbers = new Map<object, number>()

  override compileQuery(node: RootOperationNode, queryId: QueryId) {
    this.#numbers = new Map()
    return super.compileQuery(node, queryId)
  }

  protected override appendValue(parameter: unknown): void {
    const isOnce =
      parameter instanceof Place || parameter instanceof ZoneList || Array.isArray(parameter)
    const known = isOnce ? this.#numbers.get(parameter) : undefined
    if (known !== undefined) {
      this.append(`$${known}`)
      return
    }
    super.appendValue(parameter)
    if (isOnce) this.#numbers.set(parameter, this.numParameters)
  }
}
