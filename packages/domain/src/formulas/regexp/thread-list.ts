import { makeSet, wordCharacters } from './character-set.ts'
import type { Assertion, GroupRange } from './pattern.ts'
import type { Instruction } from './program.ts'

/** Where groups begin and end, two places for each; -1 for a group that took no part. */
export type Captures = readonly number[]

/** One way through a program, waiting at an instruction. */
export interface Thread {
  readonly instruction: number
  readonly captures: Captures
}

const words = makeSet({ ranges: wordCharacters })

/** The ways that reached one place, the preferred first; no instruction is reached twice. */
export class ThreadList {
  readonly waiting: Thread[] = []
  /** Steps of work that it took to fill the list. */
  stepCount = 0
  readonly #instructions: readonly Instruction[]
  /** Which filling of the list reached an instruction last. */
  readonly #seen: Uint32Array
  #filling = 1

  constructor(instructions: readonly Instruction[]) {
    this.#instructions = instructions
    this.#seen = new Uint32Array(instructions.length)
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0
  }

  clear(): void {
    this.waiting.length = 0
    this.stepCount = 0
    this.#filling++
  }

  /** Follows a way up to the instructions that take a character or end the match. */
  add(start: Thread, text: string, place: number): void {
    const stack = [start]
    for (let thread = stack.pop(); thread; thread = stack.pop()) {
      const { instruction: index, captures } = thread
      if (this.#seen[index] === this.#filling) continue
      this.#seen[index] = this.#filling
      this.stepCount++
      const instruction = this.#instructions[index]
      switch (instruction?.kind) {
        case 'jump':
          stack.push({ instruction: instruction.target, captures })
          break
        case 'fork':
          stack.push({ instruction: instruction.second, captures })
          stack.push({ instruction: instruction.first, captures })
          break
        case 'save':
          stack.push({ instruction: index + 1, captures: captures.with(instruction.slot, place) })
          this.stepCount += captures.length >> 2
          break
        case 'forget':
          stack.push({ instruction: index + 1, captures: forget(captures, instruction.groups) })
          this.stepCount += captures.length >> 2
          break
        case 'assertion':
          if (holds(instruction.assertion, text, place)) {
            stack.push({ instruction: index + 1, captures })
          }
          break
        default:
          this.waiting.push(thread)
      }
    }
  }
}

function forget(captures: Captures, [first, end]: GroupRange): Captures {
  return captures.map((place, slot) => (slot >= first * 2 && slot < end * 2 ? -1 : place))
}

function holds(assertion: Assertion, text: string, place: number): boolean {
  switch (assertion) {
    case 'start':
      return place === 0
    case 'end':
      return place === text.length
    case 'wordEdge':
      return isWordEdge(text, place)
    case 'noWordEdge':
      return !isWordEdge(text, place)
  }
}

function isWordEdge(text: string, place: number): boolean {
  const before = place > 0 && words.has(text.charCodeAt(place - 1))
  const after = place < text.length && words.has(text.charCodeAt(place))
  return before !== after
}
