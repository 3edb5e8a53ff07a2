import { z } from 'zod'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { signedPosition, signPosition } from '../../records/pages/cursor.ts'
import type { Secrets } from '../../secrets.ts'
import { type FoundPlace, namedTypes } from '../../tree/name-finder.ts'
import { readableTypes } from '../../tree/operations/node-output.ts'
import { defineRead } from '../../use-case.ts'
import { storableTextUpTo, textUpTo } from '../../values/storable-text.ts'
import { foldCase } from '../../values/text.ts'
import { onSpace } from '../space-guard.ts'

const foundOutput = z
  .object({
    id: z.string().describe('The id of the base, folder, table, dashboard or workflow'),
    type: z.enum(namedTypes).describe('What it is'),
    name: z.string().describe('Its name'),
    icon: z.string().nullable().describe('An emoji, or null where there is none'),
    baseId: z.string().describe('The base that it lies in, or is'),
    baseName: z.string().describe('The name of that base'),
  })
  .meta({ id: 'FoundName' })

/** Finds bases of a space, and what lies in their trees, by a part of the name. */
export const searchSpace = defineRead({
  summary: 'Search the names in a space',
  input: z.object({
    spaceId: idSchema,
    search: storableTextUpTo(limits.shortTextLength)
      .trim()
      .min(1, 'must have at least one character that is no space')
      .describe('A part of the name, in upper or lower case'),
    type: z.enum(namedTypes).optional().describe('Finds what is of this type alone'),
    pageSize: z
      .int()
      .min(1)
      .max(limits.foundNamesPerPage)
      .default(limits.foundNamesPerPageDefault)
      .describe('How many to answer at most'),
    cursor: textUpTo(limits.cursorLength)
      .optional()
      .describe('The `nextCursor` of the page before'),
  }),
  output: z.object({
    list: z.array(foundOutput).describe('What was found, by name'),
    total: z.number().describe('How much was found on all pages together'),
    nextCursor: z.string().nullable().describe('Leads to the page that follows; null at the end'),
  }),
  access: onSpace('base|read'),
  needs: ['secrets'],
  run: async ({ tx, secrets, actor, role, space }, { search, type, pageSize, cursor }) => {
    const isReadable = readableTypes({ actor, role })
    const types = namedTypes.filter(
      (named) => (type ?? named) === named && (named === 'base' || isReadable(named)),
    )
    const part = foldCase(search)
    const of = `names:${JSON.stringify([space.id, types, part])}`
    const after = cursor === undefined ? undefined : placeIn(secrets, of, cursor)
    if ((await tx.nameFinder.countIn(space.id)) > limits.namesSearchedAtOnce) tx.becomeLong()
    const page = { spaceId: space.id, types, part, after, take: pageSize + 1 }
    const { total, found } = await tx.nameFinder.find(page)
    const list = found.slice(0, pageSize)
    const last = list.at(-1)
    const hasMore = last !== undefined && found.length > pageSize
    return { list: [...list], total, nextCursor: hasMore ? cursorTo(secrets, of, last) : null }
  },
})

/** Holds the name, not the thing alone: the next page is found, too, once that has another name, or is gone. */
function cursorTo(
  secrets: Secrets,
  of: string,
  { id, name }: { readonly id: string; readonly name: string },
): string {
  return signPosition(secrets, of, encodeURIComponent(JSON.stringify([foldCase(name), id])))
}

function placeIn(secrets: Secrets, of: string, cursor: string): FoundPlace {
  const position = signedPosition(secrets, of, cursor)
  if (position === undefined) {
    throw invalidAt(['cursor'], 'must be the nextCursor of an earlier answer to the same search')
  }
  const [folded, id] = JSON.parse(decodeURIComponent(position))
  return { folded, id }
}
