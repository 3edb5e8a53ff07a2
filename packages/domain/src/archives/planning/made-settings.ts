import type { Field } from '../../fields/field.ts'
import type { Table } from '../../tables/table.ts'
import type { Deletion } from '../../trash/deletion.ts'
import type { View } from '../../views/view.ts'

/** What the things of an archive are called in the base that is made of it, by the ids that they have in the archive. */
export interface MadeSettings {
  readonly tables: ReadonlyMap<string, Table>
  readonly fields: ReadonlyMap<string, Field>
  readonly views: ReadonlyMap<string, MadeView>
  /** What deleted those things that lie in the trash, by the ids that they have here. */
  readonly deletions: ReadonlyMap<string, Deletion>
}

/** A view that was made, and whether its rows are to stay in an order that is still to come. */
export interface MadeView {
  readonly view: View
  readonly sort: View['sort']
}
