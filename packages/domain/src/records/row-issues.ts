import { type Issue, invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { FieldKeyType, SchemaField } from '../schemas/table-schema.ts'

/** How the caller sent the rows: what fields are addressed by, and where the rows stand in the request. */
export interface IssueLocator {
  readonly fieldKeyType: FieldKeyType
  readonly pathOf: (row: number) => readonly (string | number)[]
}

/** Collects what is wrong with the rows of a request, in terms of the request; of much, the first. */
export class RowIssues {
  readonly #locator: IssueLocator
  readonly #issues: Issue[] = []

  constructor(locator: IssueLocator) {
    this.#locator = locator
  }

  /** Notes what is wrong with a row: with its cell in the field, or with the row as a whole. */
  add(row: number, schemaField: SchemaField | undefined, message: string): void {
    if (this.#issues.length >= limits.issuesNamed) return
    const { pathOf, fieldKeyType } = this.#locator
    const key = schemaField ? [schemaField.field[fieldKeyType]] : []
    this.#issues.push({ path: [...pathOf(row), 'fields', ...key], message })
  }

  /** Throws one validation_error with the issues, if there are any. */
  throwIfAny(): void {
    if (this.#issues.length > 0) throw invalid(this.#issues)
  }
}
