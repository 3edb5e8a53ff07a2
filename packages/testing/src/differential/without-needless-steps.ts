import type { Script } from '../scripts/script.ts'

/**
 * The failing script without every step that it fails without. Tries all steps again after each that falls
 * away, which shrinking doesn't: many a step is needed only by another one that is gone by then.
 */
export async function withoutNeedlessSteps(
  script: Script,
  doesFail: (script: Script) => Promise<boolean>,
): Promise<Script> {
  for (const step of script) {
    const shorter = script.filter((other) => other !== step)
    if (await doesFail(shorter)) return withoutNeedlessSteps(shorter, doesFail)
  }
  return script
}
