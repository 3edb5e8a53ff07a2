import fc from 'fast-check'
import { ref } from '../scripts/arguments.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import type { SamplesIn } from './operation-sample.ts'

const ofNothing = { weight: 0.2, args: fc.constant({}) }

const inSpace = scripted({
  weight: 0.5,
  args: fc.record({ space: ref }),
  toInput: ({ space }, { spaces }) => ({ spaceId: spaces.idOf(space) }),
})

export const billingOperations: ScriptedFeature<'billing'> = {
  listProducts: scripted(ofNothing),
  listBaseProducts: scripted(ofNothing),
  listAddOnProducts: scripted(ofNothing),
  getSpaceUsage: inSpace,
  getSubscription: inSpace,
  listSubscriptions: scripted(ofNothing),
}

export const billingSamples: SamplesIn<'billing'> = ({ spaceId }) => ({
  listProducts: { input: {} },
  listBaseProducts: { input: {} },
  listAddOnProducts: { input: {} },
  getSpaceUsage: { input: { spaceId } },
  getSubscription: { input: { spaceId } },
  listSubscriptions: { input: {} },
})
