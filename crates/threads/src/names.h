/* Read before every source file: functions of the C library that read and write memory get names of
 * Mazurka's library, which says what they do and then calls them. */
#ifndef MAZURKA_NAMES_H
#define MAZURKA_NAMES_H
#if !defined(__ASSEMBLER__)
#ifdef __cplusplus
/* With its assertions, GNU's C++ library has the program compile the members of strings for itself, so that they are instrumented. */
#ifndef _GLIBCXX_ASSERTIONS
#define _GLIBCXX_ASSERTIONS 1
#endif
#define MAZURKA_NOTHROW noexcept(true)
extern "C" {
#else
#define MAZURKA_NOTHROW
#endif
#define MAZURKA_NAMED(name) MAZURKA_NOTHROW __asm__("mazurka_" #name)
void *memcpy(void *, const void *, __SIZE_TYPE__) MAZURKA_NAMED(memcpy);
void *memmove(void *, const void *, __SIZE_TYPE__) MAZURKA_NAMED(memmove);
void *memset(void *, int, __SIZE_TYPE__) MAZURKA_NAMED(memset);
int memcmp(const void *, const void *, __SIZE_TYPE__) MAZURKA_NAMED(memcmp);
__SIZE_TYPE__ strlen(const char *) MAZURKA_NAMED(strlen);
char *strcpy(char *, const char *) MAZURKA_NAMED(strcpy);
char *strncpy(char *, const char *, __SIZE_TYPE__) MAZURKA_NAMED(strncpy);
char *stpcpy(char *, const char *) MAZURKA_NAMED(stpcpy);
char *strcat(char *, const char *) MAZURKA_NAMED(strcat);
int strcmp(const char *, const char *) MAZURKA_NAMED(strcmp);
int strncmp(const char *, const char *, __SIZE_TYPE__) MAZURKA_NAMED(strncmp);
char *strdup(const char *) MAZURKA_NAMED(strdup);
#ifdef __cplusplus
}
#endif
#ifdef __clang__
/* clang makes an instruction of its own of these, which would not come to the functions above. */
#ifdef __cplusplus
#define MAZURKA_PLAIN(name) ::name
#else
#define MAZURKA_PLAIN(name) name
#endif
#define __builtin_memcpy MAZURKA_PLAIN(memcpy)
#define __builtin_memmove MAZURKA_PLAIN(memmove)
#define __builtin_memset MAZURKA_PLAIN(memset)
#endif
#ifdef __OPTIMIZE__
/* For the report: a section that tells how the file was compiled. */
static const char mazurka_was_optimized __attribute__((used, section("mazurka_optimized"))) = 1;
#endif
#endif
#endif
