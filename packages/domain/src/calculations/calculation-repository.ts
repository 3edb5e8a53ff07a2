/** A field whose cells are being worked out in the background. */
export interface PendingField {
  readonly fieldId: string
  readonly tableId: string
  /** Records up to this number are done. */
  readonly after: number
  /** Records up to this number are to be done; later ones were worked out when they were made. */
  readonly until: number
}

export interface CalculationReader {
  /** The pending fields of the tables, by field id. */
  listOf(tableIds: readonly string[]): Promise<readonly PendingField[]>
}

/** Remembers which fields are being worked out, and how far. */
export interface CalculationRepository extends CalculationReader {
  /** Has the fields worked out from the first record on; those that are under way begin anew. */
  schedule(fields: readonly PendingField[]): Promise<void>
  /** Notes how far the fields are. */
  advance(fieldIds: readonly string[], after: number): Promise<void>
  /** Forgets fields: they are done, or gone. */
  remove(fieldIds: readonly string[]): Promise<void>
}
