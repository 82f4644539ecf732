export {
  claimJob,
  closeJob,
  countJobs,
  enqueueJobs,
  hasFreeJobs,
  type Job,
  jobMigrations,
  type Refusal,
  refusalsOf,
  refuseJobs,
  releaseJobs,
  saveJob,
} from './jobs.ts';
