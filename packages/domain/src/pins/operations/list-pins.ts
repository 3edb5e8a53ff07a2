import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { defineRead } from '../../use-case.ts'
import type { Pin } from '../pin.ts'
import { type SeenResource, seenTypes } from '../seen-resource.ts'

const pinOutput = z
  .object({
    id: z.string().describe('The id of the resource'),
    type: z.enum(seenTypes).describe('What it is'),
    order: z.number().describe('Its place among the pins: smaller numbers come first'),
    name: z.string().describe('What it is called'),
    icon: z.string().optional().describe('An emoji, where it has one'),
    parentBaseId: z.string().optional().describe('The base that it lies in'),
    viewMeta: z
      .object({
        tableId: z.string().describe('The table that it shows'),
        type: z.string().describe('The type of the view'),
      })
      .optional()
      .describe('Of a view, what it takes to open it'),
  })
  .meta({ id: 'Pin' })

/** Lists what the caller has pinned and may still read, at most `limits.pinsPerUser`. */
export const listPins = defineRead({
  summary: 'List my pins',
  input: z.object({}),
  output: z.array(pinOutput),
  access: signedIn({ sessionOnly: true }),
  run: async ({ tx, userId }) => {
    const pins = await tx.pins.listOf(userId)
    const seen = await tx.seenResources.find(userId, pins)
    const byName = new Map(seen.map((one) => [`${one.type} ${one.id}`, one]))
    return pins.flatMap((pin) => {
      const resource = byName.get(`${pin.type} ${pin.id}`)
      return resource ? [toPinOutput(pin, resource)] : []
    })
  },
})

function toPinOutput({ order }: Pin, resource: SeenResource): z.output<typeof pinOutput> {
  const { id, type, name, icon, baseId, parentId, viewType } = resource
  return {
    ...{ id, type, order, name },
    ...(icon !== null && { icon }),
    ...(baseId !== null && type !== 'base' && { parentBaseId: baseId }),
    ...(viewType !== null && { viewMeta: { tableId: parentId ?? '', type: viewType } }),
  }
}
