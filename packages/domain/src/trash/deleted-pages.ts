import type { Deleted, DeletedPage } from './deletion.ts'

/** Deleted things that are read in one go: each may be as large as what people set of a view. */
const deletedAtOnce = 50

/** The deleted things of a table or a base, page by page. */
export async function* deletedPages<Thing extends { readonly id: string }>(
  read: (page: DeletedPage) => Promise<readonly Deleted<Thing>[]>,
): AsyncGenerator<readonly Deleted<Thing>[]> {
  for (let after = ''; ; ) {
    const page = await read({ after, most: deletedAtOnce })
    yield page
    const last = page.at(-1)
    if (!last || page.length < deletedAtOnce) return
    after = last.thing.id
  }
}
