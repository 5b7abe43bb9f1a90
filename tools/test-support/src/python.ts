import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describeWhere } from './describe-where.ts';

/** Suites that run programs in Python, with its standard library only. */
export const { describe: describePython } = await describeWhere('Python 3 as python3', () =>
  promisify(execFile)('python3', ['--version']),
);
