import { limits } from '../limits.ts'
import type { FieldStep, TrashStep, UndoStep, ViewStep } from './undo-step.ts'

/** Collects what a call does, so that it can be undone. */
export class UndoLog {
  #steps: UndoStep[] = []
  #length = 0

  /** What the call did, in its order; one step that says why, where that is too long to be kept. */
  get steps(): readonly UndoStep[] {
    return this.#steps
  }

  /** Takes the room that a part of a step will have. Answers whether there is so much; if not, all is given up. */
  takeRoom(part: unknown): boolean {
    return this.#length <= limits.undoLength && this.takeLength(JSON.stringify(part).length)
  }

  /** Takes the room of a part of a step that has so many characters. Answers whether there is so much; if not, all is given up. */
  takeLength(length: number): boolean {
    if (this.#length > limits.undoLength) return false
    this.#length += length
    if (this.#length <= limits.undoLength) return true
    const reason = `What was done takes more than ${limits.undoLength} characters, which is too much to be kept`
    this.#steps = [{ kind: 'final', reason }]
    return false
  }

  /** Whether there is room for a part of so many characters. */
  hasRoom(length: number): boolean {
    return this.#length + length <= limits.undoLength
  }

  /** Notes which of the members of a view or a field changed, as they were, and as they became. */
  noteChange(
    of: Pick<ViewStep, 'kind' | 'viewId'> | Pick<FieldStep, 'kind' | 'fieldId'>,
    before: object,
    after: object,
  ): void {
    const held = before as Readonly<Record<string, unknown>>
    const changed = Object.entries(after).filter(
      ([member, value]) => JSON.stringify(value) !== JSON.stringify(held[member]),
    )
    const was = changed.map(([member]) => [member, held[member] ?? null])
    const step = {
      ...of,
      before: Object.fromEntries(was),
      after: Object.fromEntries(changed),
    }
    if (this.takeRoom(step)) this.note(step)
  }

  /** Notes what the call moved to the trash, or what it made or brought back. */
  noteTrash(step: TrashStep): void {
    if (this.takeRoom(step)) this.note(step)
  }

  /** Notes that the call did something that can't be undone: why, in a sentence. */
  noteFinal(reason: string): void {
    this.note({ kind: 'final', reason })
  }

  /** Notes a part of what the call did, whose room is taken. */
  note(step: UndoStep): void {
    if (this.#length <= limits.undoLength) this.#steps.push(step)
  }
}
