/** How an engine writes what fixed statements about the product's own tables have of it. */
export interface OwnTableDialect {
  /** The schema that holds the product's own tables; undefined where there are no schemas. */
  readonly metadataSchema: string | undefined
  /** What stands for the value of this number in a statement, from 1. */
  placeOf(number: number): string
}
