import type { Board } from '../boards/board.ts'

/** A page of a base on which plugins are arranged. */
export type Dashboard = Board
