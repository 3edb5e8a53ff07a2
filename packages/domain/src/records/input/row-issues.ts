import { type Issue, invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { FieldKeyType, SchemaField } from '../../schemas/table-schema.ts'

/** How the caller sent the rows: how fields are named, and where in the request the rows are. */
export interface IssueLocator {
  readonly fieldKeyType: FieldKeyType
  readonly pathOf: (row: number) => readonly (string | number)[]
}

/**
 * Collects the errors in the rows of a request, with their places in the request, in the order of the rows; of many
 * errors only the first ones. Where rows have one place, such as a range of cells, what is wrong with several is said once.
 */
export class RowIssues {
  readonly #locator: IssueLocator
  #found: { readonly row: number; readonly issue: Issue }[] = []
  /** What is wrong with this row, or one after it, is named no more: there is enough before it. */
  #end = Number.POSITIVE_INFINITY

  constructor(locator: IssueLocator) {
    this.#locator = locator
  }

  /** Notes what is wrong with a row: with its cell in the field, or with the row as a whole. */
  add(row: number, schemaField: SchemaField | undefined, message: string): void {
    if (row >= this.#end) return
    const { pathOf, fieldKeyType } = this.#locator
    const key = schemaField ? [schemaField.field[fieldKeyType]] : []
    const issue = { path: [...pathOf(row), 'fields', ...key], message }
    if (this.#found.some((other) => isSame(other.issue, issue))) return
    this.#found.push({ row, issue })
    if (this.#found.length >= 2 * limits.issuesNamed) this.#keepFirst()
  }

  /** Throws one validation_error with the issues, if there are any. */
  throwIfAny(): void {
    this.#keepFirst()
    if (this.#found.length > 0) throw invalid(this.#found.map(({ issue }) => issue))
  }

  /** Those of one row stay in the order in which they were noted. */
  #keepFirst(): void {
    const sorted = this.#found.toSorted((a, b) => a.row - b.row)
    this.#found = sorted.slice(0, limits.issuesNamed)
    if (this.#found.length === limits.issuesNamed) this.#end = this.#found.at(-1)?.row ?? this.#end
  }
}

function isSame(one: Issue, other: Issue): boolean {
  const isSamePlace = one.path.every((step, index) => step === other.path[index])
  return one.message === other.message && one.path.length === other.path.length && isSamePlace
}
