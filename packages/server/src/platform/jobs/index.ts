export {
  closeJob,
  countOpenJobs,
  enqueueJobs,
  type Job,
  jobMigration,
  openJobs,
  type Refusal,
  refusalsOf,
  refuseJobs,
  saveJob,
} from './jobs.ts';
